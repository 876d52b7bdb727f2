// Messengers and networks by which a person is reached, in the spelling of each language, and what calls a name an account.

/** Names of messengers and networks. */
export const CHAT_CLEAR: Readonly<Record<string, string>> = {
  latin:
    'telegram, telegramm, telega, tele gram, tg, tgram, whatsapp, whats app, watsapp, wechat, we chat, weixin, wx, vx, discord, snapchat, snap, insta, instagram, ig, igram, skype, kik, threema, viber, icq, facebook, fb, messenger, twitter, tiktok, tik tok, linkedin, kakaotalk, kakao, katalk, zalo, imo, onlyfans, vk, vkontakte, mastodon, bluesky, reddit, wickr, session id, qq, line id, id line, lineid, signal username, signal id, signal name, twi tter, insta gram, snap chat, dis cord, badoo, fbook, weibo, douyin, xiaohongshu, twitch, keybase, xmpp, jabber, the gram, bird app, fb messenger, za lo, kakao talk, facebook page, bsky, fediverse, nextdoor, xing, instagramdan, instagramda, facebookta, element matrix, steam id, libera chat',
  ru: 'телега, телегу, телеге, телеграм, телеграмм, телеграме, тг, тгшка, вк, вконтакте, инста, инсту, инсте, инстаграм, скайп, дискорд, вайбер, ватсап, вотсап, фейсбук, одноклассники, тик ток, аська, телеграмме, скайпе, дискорде, тэгэ, телегой',
  uk: 'телеграм, телегу, тг, інста, інстаграм, скайп, вайбер, дискорд, телеграмі, інсті, телега',
  ar: 'تلغرام, تليجرام, تيليجرام, تلجرام, سناب, سناب شات, انستا, انستقرام, إنستا, انستغرام, سكايب, واتساب, ديسكورد, تيك توك, السناب, التلجرام, الانستا, إنستغرام, فيسبوك, تليغرام, سنابي',
  fa: 'تلگرام, اینستا, اینستاگرام, اسکایپ, واتساپ, دیسکورد, ایتا, روبیکا, سروش, بله, تلگرامم, اینستام, تلگرامی',
  ur: 'ٹیلیگرام, انسٹا, انسٹاگرام, واٹس ایپ, سنیپ چیٹ, فیس بک, ٹیلی گرام, اسکائپ',
  hi: 'टेलीग्राम, इंस्टा, इंस्टाग्राम, व्हाट्सएप, स्नैपचैट, फेसबुक, डिस्कॉर्ड, स्काइप, टेलिग्राम',
  mr: 'टेलिग्राम, टेलीग्राम, इन्स्टा, इन्स्टाग्राम, फेसबुक',
  bn: 'টেলিগ্রাম, ইনস্টা, ইনস্টাগ্রাম, হোয়াটসঅ্যাপ, ফেসবুক, মেসেঞ্জার, স্কাইপ, ইমো',
  te: 'టెలిగ్రామ్, ఇన్‌స్టా, ఇన్‌స్టాగ్రామ్, వాట్సాప్, ఫేస్‌బుక్, ఇన్స్టా',
  ta: 'டெலிகிராம், இன்ஸ்டா, இன்ஸ்டாகிராம், வாட்ஸ்அப், பேஸ்புக்',
  zh: '微信, 微信号, 加微, 薇信, 威信, 微信號, 扣扣, 电报, 小红书, 抖音, 微博, v信, 加v, 加vx, vx, 卫星, 威芯, 徽信, 加薇, 薇芯, 薇, 加v信, 绿泡泡, 企鹅号, 企鹅, 电报群, 飞机, 推特, 脸书',
  ja: 'ライン, らいん, インスタ, テレグラム, ディスコード, カカオ, スカイプ, ツイッター, インスタグラム, ラインid, いんすた, ディスコ, カカオトーク, テレグラ, フェイスブック',
  ko: '카톡, 카카오톡, 텔레그램, 라인, 인스타, 인스타그램, 디스코드, 오픈채팅, 카카오, 옾챗, 텔레, 텔그, 카톡아이디, 스카이프, 페이스북, 라인아이디',
  tr: 'instagramım, telegramım, insta hesabım, telegramdan',
  de: 'telegram-name, insta-name',
};
/** Names of messengers that are words of their own: only with what calls a name an account. */
export const CHAT_VAGUE =
  'signal, line, session, threads, slack, 라인, сигнал, wire, zoom, session id, 企鹅, 飞机, 卫星, imo, snap, matrix, element, steam, irc, libera, بله, vk, messenger, wx, kik, wa, sc';

/** Where money is sent to somebody by name. */
export const PAY_NAMES =
  'venmo, cashapp, cash app, cashtag, paypal, paypal me, zelle, revolut, revtag, upi, upi id, gpay, google pay, phonepe, paytm, pix, chave pix, bizum, alipay, 支付宝, wise, twint, swish, mbway, mb way, mpesa, m-pesa, bkash, nagad, easypaisa, jazzcash, यूपीआई, ko-fi, kofi, buymeacoffee, patreon, blik, vipps, mobilepay, gcash, dana, gopay, ovo, 페이';

/** Words that call what follows somebody's name somewhere. */
export const ACCOUNT_NAMES: Readonly<Record<string, string>> = {
  latin:
    'id, ids, user, username, user name, userid, handle, nick, nickname, nik, account, acct, acc, profile, name, login, tag, alias, as, under, called, look for, search, add, find me, usuario, nombre, cuenta, usuário, conta, nome, perfil, pseudo, compte, identifiant, profil, utente, benutzer, benutzername, nutzername, konto, kennung, gebruiker, gebruikersnaam, användare, namn, użytkownik, nazwa, login, kullanıcı, kullanıcı adı, hesap, hesabım, adım, kullanıcı adım, tên, tài khoản, nama, akun, pengguna, como, come, comme, als, sono, soy, sou, sur, je suis, bin, jestem, i am, im, me, my, mi, meu, minha, mon, mein, mijn, mio, mój, min, benim, saya, mình, dm, dms, dm me, follow, add me, msg, chat',
  ru: 'ник, ником, логин, логином, юзернейм, имя, аккаунт, профиль, айди, ид, юзер, мой, под ником, канал, зовут, я, аккаунте, найдете, ищите, поиск',
  uk: 'нік, логін, юзернейм, акаунт, профіль, айді, мій, я, імʼя',
  zh: '号, 账号, 帐号, 加, 加我, 搜, 搜索, id, 用户名, 名字, 叫, 是, 好友, 号码, 我的, 群, 找',
  ja: 'id, アカウント, 名前, 垢, は, ユーザー名, アイディー, 検索, で, 追加, dm, の',
  ko: '아이디, 계정, 닉네임, 는, 은, 검색, 추가, 이름, 친추, 로, 내, 제',
  ar: 'معرف, معرفي, حسابي, حساب, يوزر, يوزري, اسم, اسمي, المعرف, اضفني, الحساب, ايدي, آيدي, باسم',
  fa: 'آیدی, ایدی, اکانت, حساب, نام کاربری, آی دی, من, پیج',
  ur: 'آئی ڈی, اکاؤنٹ, نام, یوزر نیم, پر, یوزر',
  hi: 'आईडी, अकाउंट, नाम, यूजरनेम, यूज़रनेम, पर, आइडी, हैंडल, है',
  mr: 'आयडी, अकाउंट, नाव, वर',
  bn: 'আইডি, অ্যাকাউন্ট, নাম, ইউজারনেম, আইডিতে, তে',
  te: 'ఐడి, ఖాతా, పేరు, లో, ఐడీ',
  ta: 'ஐடி, கணக்கு, பெயர், இல், பயனர்பெயர்',
};

/** Hosts that are nothing but a way to reach somebody, with what follows them. */
export const CONTACT_HOSTS =
  'wa.me t.me m.me telegram.me telegram.dog telegra.ph discord.gg discord.com/users discordapp.com/users line.me signal.me signal.group calendly.com cal.com linktr.ee bit.ly tinyurl.com viber.me join.skype.com snapchat.com/add u.wechat.com weixin.qq.com chat.whatsapp.com api.whatsapp.com vk.me ig.me fb.me open.kakao.com zalo.me kik.me linkin.bio beacons.ai allmylinks.com lnk.bio paypal.me venmo.com cash.app carrd.co forms.gle wa.link savvycal.com doodle.com/bp koalendar.com tidycal.com msng.link goo.gl cutt.ly is.gd t.ly rb.gy facebook.com/messages bio.link qr.io onelink.to taplink.cc taplink.ws hoo.be solo.to tg.me snapchat.com/t ok.me instagram.com/direct skype.com clck.ru shorturl.at rebrand.ly lin.ee kutt.it v.gd';

/** Words that send a reader to another place to get in touch. */
export const ELSEWHERE =
  'www, browser, website, web site, site, form, contact, contacts, contact page, page, internet, url, link, homepage, webseite, formular, kontakt, impressum, sito, contatti, pagina, página, formulario, contacto, contato, rubrique, coordonnées, site web, сайт, сайте, контакты, раздел, страница, strona, stronie, formularz, kontakty, siteden, sitemiz, iletişim, 网站, 官网, 网址, サイト, ホームページ, 홈페이지, 사이트, trang web, situs, webbplats, book, there, visit, type, online, numero, number, phone, telephone, телефон, https, http, address, ring, وب سایت, سایت, موقع, الموقع, वेबसाइट, ওয়েবসাইট, موقعي, hompage, webpage, direct line, form is, schedule, booking, termin, réservez, prenota, reserva, запись, बुक, see';
