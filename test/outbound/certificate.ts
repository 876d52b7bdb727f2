// A self-signed certificate for 127.0.0.1 and its key, made for these tests and trusted by nothing else, so that the
// mailer's check of certificates runs for real: it accepts the server when told to trust this one, and only then.

export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUMCy6m8ZXMstfCRHGLtjfIhBnpgMwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbWFpbC50ZXN0MCAXDTI2MTEyMTA5MTIwOVoYDzIxMjYxMDI4
MDkxMjA5WjAUMRIwEAYDVQQDDAltYWlsLnRlc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASqdFvY8VX99ZJPSKf2E5HkgSugOvdd1CZu/PUylyJg4vVPxT3TBbvH
eq4YzzH28xa1F+i9HT10El5jt6v9/hy6o28wbTAdBgNVHQ4EFgQUKuNZK9GPSsdT
d3LFel4dXWBN2B0wHwYDVR0jBBgwFoAUKuNZK9GPSsdTd3LFel4dXWBN2B0wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDRwAwRAIgO/n6z1eJNBJDJpPU92xR0y7VV3ai0d5Yt2AEOF7fHHkCIH/B
cxDtFsQIgjEMlF9RRphuGqaRfa5Ei2e68wPI1vDv
-----END CERTIFICATE-----
`;

export const CERTIFICATE_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgGRmcrr0otAciYkYp
NYIRts+rGg+HL8EQthqAVgjrYTehRANCAASqdFvY8VX99ZJPSKf2E5HkgSugOvdd
1CZu/PUylyJg4vVPxT3TBbvHeq4YzzH28xa1F+i9HT10El5jt6v9/hy6
-----END PRIVATE KEY-----
`;
