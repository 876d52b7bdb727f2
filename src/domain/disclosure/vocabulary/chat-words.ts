// Names of messengers and social networks, and words that introduce an account there.

/** Names of messengers and networks. */
export const CHAT_CLEAR = `telegram, telegramm, telega, tele gram, tg, tgram, whatsapp, whats app, watsapp, wechat, we chat, weixin,
  discord, snapchat, snap, insta, instagram, ig, skype, kik, threema, viber, icq, facebook, fb, messenger,
  twitter, tiktok, linkedin, zalo, vk, mastodon, reddit, qq, line id, id line, signal username, twi tter, weibo,
  the gram, fb messenger, za lo, телега, телегу, телеге, телеграм, телеграме, тг, вк, вконтакте, вотсап, تلغرام,
  تليجرام, تيليجرام, سناب, واتساب, تلگرام, टेलीग्राम, इंस्टा, इंस्टाग्राम, 微信, 微信号, 加微, 薇信, 薇, ライン,
  らいん, インスタ, 카톡, 카카오톡, 텔레그램, 카카오, instagramım, telegramım, insta hesabım, telegram-name, insta-name`;

/** Names of messengers that are also common words: they need a word that introduces an account. */
export const CHAT_VAGUE = `signal, line, session, threads, slack, wire, zoom, snap, matrix, vk, messenger, kik, wa, sc`;

/** Words that introduce an account name. */
export const ACCOUNT_NAMES = `id, ids, user, username, user name, userid, handle, nick, nickname, nik, account, acct, profile, name, login,
  tag, as, under, look for, add, find me, cuenta, conta, nome, pseudo, compte, identifiant, utente, konto,
  kullanıcı, adım, kullanıcı adım, tên, como, come, als, sono, soy, sou, sur, bin, i am, im, me, my, mi, meu,
  minha, mon, mein, mijn, mio, mój, min, saya, mình, dm, dm me, follow, add me, chat, ник, ником, логин, мой,
  канал, зовут, я, нік, логін, юзернейм, 号, 账号, 帐号, 加, 加我, 叫, 是, 好友, 我的, アカウント, 名前, は, で, の, 아이디, 계정, 닉네임, 는, 은,
  로, 제, معرف, معرفي, حسابي, ايدي, من, پر, आईडी, अकाउंट, नाम, पर, है, তে`;

/** Hosts and paths that serve only to contact a person. */
export const CONTACT_HOSTS = `wa.me t.me m.me telegram.me telegram.dog telegra.ph discord.gg discord.com/users discordapp.com/users line.me
  signal.me signal.group calendly.com cal.com linktr.ee bit.ly tinyurl.com viber.me join.skype.com
  snapchat.com/add u.wechat.com weixin.qq.com chat.whatsapp.com api.whatsapp.com vk.me ig.me fb.me open.kakao.com
  zalo.me kik.me linkin.bio beacons.ai allmylinks.com lnk.bio paypal.me venmo.com cash.app carrd.co forms.gle
  wa.link savvycal.com doodle.com/bp koalendar.com tidycal.com msng.link goo.gl cutt.ly is.gd t.ly rb.gy
  facebook.com/messages bio.link qr.io onelink.to taplink.cc taplink.ws hoo.be solo.to tg.me snapchat.com/t ok.me
  instagram.com/direct skype.com clck.ru shorturl.at rebrand.ly lin.ee kutt.it v.gd`;
