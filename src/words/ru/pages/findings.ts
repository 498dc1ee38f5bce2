import type { FindingWords } from "../../findings.ts";

const setPublicUrl = "укажите в нём адрес, по которому заходят игроки";
const pathForwarded = "запущен ли сервер и пропускает ли прокси весь путь?";
const whereItLeads = "проверьте DATA_DIR или DATABASE_URL и то, куда ведёт прокси";
const sameSettings =
  "задайте одно значение на всех узлах и перезапустите те, где оно другое (docs/operate/scale-out.md)";
const backUpNow = "cloakroom backup сделает копию сейчас";

const refusedFor: Readonly<Record<string, string>> = {
  untrusted: ", которому эта машина не доверяет",
  unchained: " без цепочки или от центра, которому эта машина не доверяет",
  expired: ", срок которого истёк",
  early: ", который ещё не действует",
  other_name: " на другое имя",
};

function renewal(cause: unknown, setting: unknown, own: unknown): string {
  switch (cause) {
    case "untrusted":
      return own === true
        ? "получите сертификат от центра, известного браузерам; если его выдал ваш собственный, укажите его в NODE_EXTRA_CA_CERTS"
        : "если сертификат выдал ваш собственный центр, укажите его в NODE_EXTRA_CA_CERTS; иначе, возможно, отвечает другой сервер";
    case "unchained":
      return `${own === true ? "отдавайте всю цепочку (fullchain.pem у certbot)" : "пусть сервер отдаёт всю цепочку"}; если сертификат выдал ваш собственный центр, укажите его в NODE_EXTRA_CA_CERTS`;
    case "expired":
      return own === true
        ? "обновите его и загрузите новый в прокси; новые файлы TLS_CERT сервер берёт сам. Если сертификат в порядке, проверьте часы этой машины"
        : "его должен обновить владелец сервера. Если сертификат в порядке, проверьте часы этой машины";
    case "early":
      return "выставьте часы обеих машин через NTP";
    default:
      return own === true
        ? `получите сертификат на имя из ${String(setting)} или укажите в ${String(setting)} имя, которое в нём есть`
        : `укажите в ${String(setting)} имя сервера так, как в его сертификате`;
  }
}

export const findings: FindingWords = {
  topics: {
    settings: "Настройки",
    disk: "Диск",
    clock: "Часы",
    nodes: "Узлы",
    "mail server": "Почтовый сервер",
    certificate: "Сертификат",
    "public address": "Публичный адрес",
    launchers: "Лаунчеры",
    backups: "Резервные копии",
    "open files": "Открытые файлы",
    database: "База данных",
    textures: "Текстуры",
    outbox: "Исходящие",
  },
  texts: {
    settings_file_unread: [
      "файл {file} не читается: в --config указан другой",
      "соберите все настройки в одном из двух; если это файл в папке данных, запускайте без --config",
    ],
    setting_misspelt: [
      "{name} (переменная окружения) — не настройка; имелось в виду {setting}?",
      "исправьте имя или уберите её",
    ],
    setting_without_provider: [
      "{setting} ничего не делает: в SOCIAL_PROVIDERS нет этого сервиса",
      "добавьте его туда или уберите настройку",
    ],
    public_url_unset_behind_proxy: [
      "PUBLIC_URL не задан, хотя перед сервером стоит прокси: за прокси с TLS войти в консоль не получится",
      setPublicUrl,
    ],
    public_url_unset: ["PUBLIC_URL не задан: адреса текстур начинаются с {address}", setPublicUrl],
    trusted_proxies_unset: [
      "TRUSTED_PROXIES не задан, хотя перед сервером стоит прокси: все клиенты считаются одним",
      "укажите адрес прокси, 127.0.0.1, если он на этой же машине",
    ],
    database_unverified: [
      "в DATABASE_URL стоит sslmode={mode}: вместо базы может ответить другая машина",
      "возьмите sslmode=verify-full, а для собственного центра — sslrootcert",
    ],
    drain_seconds_zero: [
      "DRAIN_SECONDS равен 0: балансировщик шлёт запросы на этот узел, пока не заметит, что он закрыт",
      "задайте на несколько секунд больше, чем интервал проверки /health/ready у балансировщика",
    ],
    username_pattern_wide: [
      "USERNAME_PATTERN {pattern} допускает имена с пробелами, невидимыми символами или с «service:» в начале",
      "исключите их: таких имён у игроков всё равно не бывает",
    ],
    limits_off: [
      "RATE_LIMIT_FACTOR равен 0: подбор паролей и кодов не ограничен",
      "уберите эту настройку, она только для испытаний",
    ],
    address_unencrypted: [
      ({ setting, address, cookie }) =>
        `${String(setting)} — ${String(address)}: пароли передаются без шифрования${cookie === true ? ", а cookie консоли получит любая программа на этом имени" : ""}`,
      "перейдите на https",
    ],
    smtp_unset: [
      "SMTP_URL не задан: письма с кодами пишутся в файлы и ни до кого не доходят",
      "укажите свой почтовый сервер",
    ],
    mail_sender_local: [
      "отправитель писем — {sender}, такого не примет ни один почтовый сервер",
      "задайте MAIL_FROM",
    ],
    backups_unscheduled: [
      "расписания резервных копий нет",
      "задайте BACKUP_SCHEDULE или запускайте cloakroom backup своим планировщиком",
    ],
    backup_secrets_open: [
      "резервные копии уходят в бакет, секреты в них не зашифрованы",
      "задайте BACKUP_PASSPHRASE",
    ],

    disk_low: [
      "свободно {free}, база данных занимает {database}",
      "освободите место: копии нужно вдвое больше, чем занимает база",
    ],
    disk_full: ["свободно {free}", "освободите место: на полном диске нельзя ни загрузить скин, ни войти"],
    texture_disk_low: ["на диске текстур свободно {free}", "освободите место"],
    texture_disk_full: [
      "на диске текстур свободно {free}",
      "освободите место: на полный диск скины не загрузить",
    ],
    clock_behind: [
      "самая новая запись — от {newest}, это в будущем",
      "выставьте часы этой машины и держите их верными через NTP",
    ],
    open_files_few: [
      "этому серверу разрешено открыть только {most} файлов сразу, считая соединения",
      "разрешите {least} или больше: LimitNOFILE в службе, ulimit -Hn перед запуском вручную, --ulimit nofile или ulimits в Docker",
    ],

    nodes_versions: ["узлы работают на версиях {versions}", "поставьте на всех одну версию"],
    nodes_textures_apart: [
      "BLOBS — files, а узлов несколько: каждому нужны одни и те же файлы",
      "укажите в BLOBS бакет или дайте всем один DATA_DIR на общей файловой системе",
    ],
    nodes_public_url_unset: [
      "PUBLIC_URL не задан, а узлов несколько: адреса текстур и ссылки в письмах ведут на тот узел, который их создал",
      "остановите все узлы, задайте на каждом PUBLIC_URL с адресом балансировщика и запустите их",
    ],
    nodes_public_url_other: [
      "PUBLIC_URL не такой, как у {nodes}: вход на одном узле не действует на другом",
      sameSettings,
    ],
    nodes_setting_other: ["{setting} на этой машине не такой, как у {nodes}", sameSettings],

    mail_server_refuses: [
      "{place}: {reason}",
      "проверьте SMTP_URL: имя, порт, smtp или smtps, пользователя и пароль",
    ],
    address_silent: ["{address} не отвечает: {reason}", "запущен ли сервер и ведут ли к нему имя и прокси?"],
    address_foreign: [
      "{address} отвечает, но это не cloakroom (код {status})",
      "укажите в PUBLIC_URL адрес, который прокси передаёт этому серверу, вместе с путём",
    ],
    address_clock: [
      "его часы расходятся с часами этой машины на {seconds} с",
      "выставьте те и другие через NTP",
    ],
    address_other_data: [
      "{address} ведёт к cloakroom с другими данными: он не знает текстуру, которая есть здесь",
      whereItLeads,
    ],
    texture_changed: [
      "{address} отдаёт не тот файл, что хранится здесь, или без ETag",
      "прокси и CDN не должны менять картинки и их заголовки; если никто их не меняет, проверьте, куда ведёт прокси",
    ],
    texture_refused: [
      "{address} отвечает кодом {status} на текстуру, которая есть здесь",
      "причина — в журнале сервера и в том, что doctor говорит о текстурах и их бакете",
    ],
    texture_foreign: [
      "на {address} отвечает что-то другое (код {status})",
      "пусть прокси передаёт этому серверу все пути под PUBLIC_URL, в том числе /textures",
    ],
    launchers_address_unset: [
      "PUBLIC_URL не задан: игры на других машинах ищут скины там, где слушает этот сервер",
      "укажите адрес, который игроки вводят в лаунчере",
    ],
    launchers_address_local: [
      "игры на других машинах не найдут скины на {host}",
      "укажите в PUBLIC_URL имя, известное им",
    ],
    launchers_unencrypted: [
      "лаунчеры отправляют пароли и токены на {address} без шифрования",
      "перейдите на https",
    ],
    launchers_unreadable: ["лаунчеры не смогут прочитать {address}: {reason}", pathForwarded],
    launchers_status: ["лаунчеры не смогут прочитать {address}: код ответа {status}", pathForwarded],
    launchers_foreign: ["лаунчеры не смогут прочитать {address}: это отвечает не cloakroom", pathForwarded],
    launchers_certificate: [
      ({ address, cause }) =>
        `лаунчеры не смогут прочитать ${String(address)}: сертификат${refusedFor[String(cause)] ?? ", который не подходит"}`,
      ({ cause }) => renewal(cause, "PUBLIC_URL", true),
    ],
    launchers_other_host: [
      "сервер объявляет, что скины приходят с {announced}, а их адреса начинаются с {host}",
      "задайте серверу тот же PUBLIC_URL и перезапустите его",
    ],
    launchers_other_key: ["{address} объявляет не тот ключ, что хранится здесь", whereItLeads],

    certificate_refused: [
      ({ by, cause }) =>
        `${String(by)} показывает сертификат${refusedFor[String(cause)] ?? ", который не подходит"}`,
      ({ cause, setting, own }) => renewal(cause, setting, own),
    ],
    certificate_unusable: [
      "{reason}",
      "укажите сертификат с цепочкой и его собственный ключ: файлы PEM, которые может читать пользователь сервера",
    ],
    certificate_early: [
      "сертификат из TLS_CERT действует только с {from}: до того клиенты его не примут",
      "проверьте часы этой машины или верните до тех пор прежний сертификат",
    ],
    certificate_ended: [
      "срок сертификата из TLS_CERT истёк {end}: клиенты его не принимают",
      "обновите его: новые файлы сервер берёт без перезапуска. Если сертификат в порядке, проверьте часы этой машины",
    ],
    certificate_ending: [
      "срок сертификата из TLS_CERT истекает {end}",
      "обновите его и выясните, почему это не происходит само",
    ],
    certificate_other_name: [
      "сертификат из TLS_CERT выдан не на {host} из PUBLIC_URL, а на {names}",
      "получите сертификат на это имя: нынешний клиенты не примут, если прокси не показывает им другой",
    ],

    backups_late: [
      "копий: {count}, место: {place}, самой новой {hours} ч",
      "поищите ошибки в журнале сервера или попробуйте cloakroom backup",
    ],
    backups_none: ["копий ещё нет ({place})", `${backUpNow} и покажет, получается ли`],
    backup_folder_unusable: [
      "папку BACKUP_DIR {folder} нельзя использовать: {reason}",
      "отдайте её пользователю сервера или укажите в BACKUP_DIR папку, в которую он может писать",
    ],
    backups_unreadable: ["{reason}", "проверьте настройки S3_ и то, кто может читать BACKUP_DIR"],
    backup_from_future: ["{name} — из будущего", "выставьте часы, удалите или переименуйте файл"],
    backup_incomplete: [
      "в {name} нет утраченных текстур",
      "смотрите cloakroom fsck; полные копии остаются рядом",
    ],
    backup_unreadable: ["{reason}", `уберите файл; ${backUpNow}`],
    backup_foreign: [
      ({ name, empty }) => `${String(name)} — не резервная копия${empty === true ? ": файл пуст" : ""}`,
      `удалите файл; ${backUpNow}`,
    ],

    database_unwritable: [
      "запись невозможна: изменения отклоняются",
      "причина — в журнале сервера; что делать, скажет cloakroom doctor",
    ],
    textures_unwritable: [
      "запись невозможна: скины не загружаются",
      "причина — в журнале сервера; что делать, скажет cloakroom doctor",
    ],
    mails_stuck: ["письма не уходят", "посмотрите исходящие и ответы почтового сервера"],
    check_failed: ["{reason}", "{remedy}"],
    check_late: ["нет ответа за {seconds} с", "исправьте то, о чём речь, и запустите cloakroom doctor"],
    file_refused: ["{reason}", "исправьте или удалите файл"],
  },
};
