"""Makes vectors.json: passwords as other systems store them, by implementations that are not ours.

python3 -m venv env && env/bin/pip install bcrypt==5.0.0 argon2-cffi==25.1.0 passlib==1.7.4
env/bin/python test/passwords/make-vectors.py > test/passwords/vectors.json

Salts are fixed, so every run writes the same bytes.
"""

import base64
import hashlib
import json

import bcrypt
from argon2.low_level import Type, hash_secret, hash_secret_raw
from passlib.hash import phpass, scrypt

PASSWORD = "Пароль-harbour 7"
SALT = "0123456789abcdef"
SALT_BYTES = SALT.encode()
vectors = []


def h(name, data):
    return hashlib.new(name, data if isinstance(data, bytes) else data.encode()).hexdigest()


def add(name, kind, text, given=None, salt=None, login=None, password=PASSWORD):
    """`kind`: what the stored hash is called here; `given`: what the system's settings call it."""
    vectors.append(
        {
            "name": name,
            "password": password,
            "text": text,
            "given": given,
            "salt": salt,
            "login": login,
            "kind": kind,
        }
    )


p = PASSWORD.encode()

# Digests without a salt.
for algorithm in ["md5", "sha1", "sha256", "sha512"]:
    add(f"{algorithm}", algorithm, h(algorithm, p), given=algorithm)
add("Blessing MD5", "md5", h("md5", p), given="MD5")
add("Blessing SHA256", "sha256", h("sha256", p), given="SHA256")
add("Blessing SHA512", "sha512", h("sha512", p), given="SHA512")
add("Gravit digest in upper case", "sha256", h("sha256", p).upper(), given="digest SHA-256")
add("Gravit digest MD5", "md5", h("md5", p), given="digest MD5")
add(
    "Gravit doubleDigest",
    "double-sha256",
    hashlib.sha256(hashlib.sha256(p).digest()).hexdigest(),
    given="doubleDigest SHA-256",
)
add(
    "Gravit doubleDigest toHexMode",
    "double-sha256-hex",
    h("sha256", h("sha256", p)),
    given="doubleDigest SHA-256 hex",
)

# Digests with a salt.
for algorithm in ["md5", "sha256", "sha512"]:
    salted = h(algorithm, h(algorithm, p) + "pepper-of-env")
    add(f"Blessing SALTED2{algorithm.upper()}", f"salted2-{algorithm}", salted, f"SALTED2{algorithm.upper()}", "pepper-of-env")
add("AuthMe SALTED2MD5", "salted2-md5", h("md5", h("md5", p) + SALT), "SALTED2MD5", SALT)
add("AuthMe DOUBLE_SHA512", "salted2-sha512", h("sha512", h("sha512", p) + SALT), "DOUBLE_SHA512", SALT)
add("AuthMe SALTEDSHA256", "salted-sha256", h("sha256", p + SALT_BYTES), "SALTEDSHA256", SALT)
add("AuthMe SALTEDSHA512", "salted-sha512", h("sha512", p + SALT_BYTES), "SALTEDSHA512", SALT)
add("AuthMe SHA256", "authme-sha256", f"$SHA${SALT}${h('sha256', h('sha256', p) + SALT)}")
add("AuthMe SHA256 with its settings", "authme-sha256", f"$SHA${SALT}${h('sha256', h('sha256', p) + SALT)}", "SHA256")
add("AuthMe MD5VB", "md5vb", f"$MD5vb${SALT}${h('md5', h('md5', p) + SALT)}", "MD5VB")
add("AuthMe MYBB", "mybb", h("md5", h("md5", "01234567") + h("md5", p)), "MYBB", "01234567")
add("AuthMe IPB3", "mybb", h("md5", h("md5", "01234567") + h("md5", p)), "IPB3", "01234567")
add("AuthMe WBB3", "wbb3", h("sha1", SALT + h("sha1", SALT + h("sha1", p))), "WBB3", SALT)
add("AuthMe SMF", "smf", h("sha1", b"steve" + p), "SMF", login="Steve")
add("AuthMe JOOMLA", "joomla", f"{h('md5', p + SALT_BYTES)}:{SALT}", "JOOMLA")
add("LibreLogin SHA-256", "salted2-sha256", h("sha256", h("sha256", p) + SALT), "SHA-256", SALT)
zeros = "0000000000000003"
number = f"{int(h('sha512', h('sha512', p) + zeros), 16):x}"
add("LibreLogin SHA-512 without its leading zero", "salted2-sha512", number, "SHA-512", zeros)
add("nLogin, the hash first", "salted2-sha512", f"$SHA512${h('sha512', h('sha512', p) + SALT)}${SALT}")
add("LimboAuth SHA256$", "salted2-sha256", f"SHA256${SALT}${h('sha256', h('sha256', p) + SALT)}")
add("LimboAuth $SHA$ of 128 digits", "salted2-sha512", f"$SHA${SALT}${h('sha512', h('sha512', p) + SALT)}")
add("a salt of other letters", "salted2-sha256", h("sha256", h("sha256", p) + "$соль% +"), "salted2-sha256", "$соль% +")

# bcrypt.
rest = bcrypt.hashpw(p, b"$2b$10$abcdefghijklmnopqrstuu").decode()[len("$2b$10$") :]
# Cheaper ones, because each of them is tried often.
cheap = bcrypt.hashpw(p, b"$2b$05$abcdefghijklmnopqrstuu").decode()[len("$2b$05$") :]
for prefix in ["2a", "2b", "2y"]:
    add(f"bcrypt ${prefix}$", "bcrypt", f"${prefix}$05${cheap}")
add("Blessing BCRYPT", "bcrypt", f"$2y$10${rest}", "BCRYPT")
add("AuthMe XFBCRYPT in its wrapping", "bcrypt", f'a:1:{{s:4:"hash";s:60:"$2y$05${cheap}";}}', "XFBCRYPT")
add("AuthMe IPB4 with its salt apart", "bcrypt", f"$2a$05${cheap}", "IPB4", "abcdefghijklmnopqrstuu")
add("LibreLogin BCrypt-2A", "bcrypt", f"10${rest[22:]}", "BCrypt-2A", rest[:22])
long = "harbour-" * 12
add("bcrypt of more than 72 bytes", "bcrypt", bcrypt.hashpw(long.encode()[:72], b"$2b$05$abcdefghijklmnopqrstuu").decode(), password=long)

# Argon2.
for kind, type_ in [("argon2d", Type.D), ("argon2id", Type.ID)]:
    add(f"{kind} with m=4096, t=3", kind, hash_secret(p, SALT_BYTES, 3, 4096, 1, 32, type_).decode())
add("Blessing ARGON2I", "argon2i", hash_secret(p, SALT_BYTES, 4, 65536, 1, 32, Type.I).decode(), "ARGON2I")
add("AuthMe ARGON2", "argon2i", hash_secret(p, SALT_BYTES, 2, 8192, 1, 32, Type.I).decode(), "ARGON2")
add("Argon2id of four lanes", "argon2id", hash_secret(p, SALT_BYTES, 2, 4096, 4, 32, Type.ID).decode())
add("Argon2id with a short tag", "argon2id", hash_secret(p, SALT_BYTES[:8], 2, 1024, 1, 16, Type.ID).decode())
raw = hash_secret_raw(p, SALT_BYTES, 2, 16384, 1, 32, Type.ID)
add(
    "LibreLogin Argon-2ID",
    "argon2id",
    f"19,2,16384${base64.b64encode(raw).decode()}",
    "Argon-2ID",
    base64.b64encode(SALT_BYTES).decode(),
)

# PBKDF2.
def pbkdf2(password, salt, n, length):
    return hashlib.pbkdf2_hmac("sha256", password.encode(), salt, n, length)


add("AuthMe PBKDF2", "pbkdf2-hex", f"pbkdf2_sha256$10000${SALT}${pbkdf2(PASSWORD, SALT_BYTES, 10000, 64).hex().upper()}", "PBKDF2")
add(
    "AuthMe PBKDF2DJANGO",
    "pbkdf2-django",
    f"pbkdf2_sha256$24000$0123456789ab${base64.b64encode(pbkdf2('quiet harbour 7', b'0123456789ab', 24000, 32)).decode()}",
    "PBKDF2DJANGO",
    password="quiet harbour 7",
)
add(
    "AuthMe PBKDF2BASE64",
    "pbkdf2-base64",
    f"pbkdf2$120000${base64.b64encode(SALT_BYTES).decode()}${base64.b64encode(pbkdf2(PASSWORD, SALT_BYTES, 120000, 32)).decode()}",
    "PBKDF2BASE64",
)

# phpass.
for ident in ["P", "H"]:
    text = phpass.using(salt="abcdefgh", rounds=13, ident=ident).hash(PASSWORD)
    add(f"phpass ${ident}$", "phpass", text, "WORDPRESS" if ident == "P" else "PHPBB")

# scrypt, as drasl keeps it: bytes in two columns.
salt = bytes.fromhex("8A57295DD309583B634FB2BEA287680B")
drasl = hashlib.scrypt(b"ada long pass 1", salt=salt, n=32768, r=8, p=1, dklen=32, maxmem=64 * 1024 * 1024)
add("drasl", "scrypt", drasl.hex(), "drasl", salt.hex(), password="ada long pass 1")
add("scrypt in passlib's form", "scrypt", scrypt.using(salt=SALT_BYTES, rounds=11, block_size=8, parallelism=2).hash(PASSWORD))

print(json.dumps(vectors, ensure_ascii=False, indent=2))
