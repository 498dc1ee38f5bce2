import type { FindingWords } from "../../findings.ts";

const setPublicUrl = "把它设为玩家访问的地址";
const pathForwarded = "服务器在运行吗？代理是否转发了完整路径？";
const whereItLeads = "检查 DATA_DIR 或 DATABASE_URL，以及代理指向哪里";
const sameSettings = "让所有节点使用同一个值，并重启原来不同的节点（docs/operate/scale-out.md）";
const backUpNow = "运行 cloakroom backup 可立即备份";

const refusedFor: Readonly<Record<string, string>> = {
  untrusted: "不受本机信任",
  unchained: "缺少证书链，或签发机构不受本机信任",
  expired: "已过期",
  early: "尚未生效",
  other_name: "属于另一个域名",
};

function renewal(cause: unknown, setting: unknown, own: unknown): string {
  switch (cause) {
    case "untrusted":
      return own === true
        ? "向浏览器认可的机构申请证书；如果由你自己的机构签发，请在 NODE_EXTRA_CA_CERTS 中指定它的证书"
        : "如果由你自己的机构签发，请在 NODE_EXTRA_CA_CERTS 中指定它的证书；否则应答的可能是另一台服务器";
    case "unchained":
      return `${own === true ? "提供完整证书链（certbot 的 fullchain.pem）" : "让对方提供完整证书链"}；如果由你自己的机构签发，请在 NODE_EXTRA_CA_CERTS 中指定它的证书`;
    case "expired":
      return own === true
        ? "续期并让代理加载新证书；服务器会自动读取 TLS_CERT 的新文件。如果证书没有问题，请校准本机时钟"
        : "需要由对方续期。如果证书没有问题，请校准本机时钟";
    case "early":
      return "用 NTP 校准两台机器的时钟";
    default:
      return own === true
        ? `为 ${String(setting)} 的域名申请证书，或把 ${String(setting)} 改成证书中的域名`
        : `把 ${String(setting)} 中的域名写成与对方证书一致`;
  }
}

export const findings: FindingWords = {
  topics: {
    settings: "设置",
    disk: "磁盘",
    clock: "时钟",
    nodes: "节点",
    "mail server": "邮件服务器",
    certificate: "证书",
    "public address": "公开地址",
    launchers: "启动器",
    backups: "备份",
    "open files": "打开的文件",
    database: "数据库",
    textures: "材质",
    outbox: "发件箱",
  },
  texts: {
    settings_file_unread: [
      "没有读取 {file}，因为 --config 指定了另一个文件",
      "把所有设置放进其中一个文件；如果是数据文件夹中的那个，启动时不要加 --config",
    ],
    setting_misspelt: ["{name}（环境变量）不是设置项；是否想写 {setting}？", "改成这个名字，或删掉它"],
    setting_without_provider: [
      "{setting} 不起作用：SOCIAL_PROVIDERS 中没有对应的平台",
      "把平台加进去，或删掉这项设置",
    ],
    public_url_unset_behind_proxy: [
      "未设置 PUBLIC_URL，但服务器前面有代理：代理使用 TLS 时，将无法登录控制台",
      setPublicUrl,
    ],
    public_url_unset: ["未设置 PUBLIC_URL：材质地址以 {address} 开头", setPublicUrl],
    trusted_proxies_unset: [
      "未设置 TRUSTED_PROXIES，但服务器前面有代理：所有客户端会被当作同一个",
      "把它设为代理的地址；代理在本机时为 127.0.0.1",
    ],
    database_unverified: [
      "DATABASE_URL 使用 sslmode={mode}：别的机器可能冒充数据库",
      "改用 sslmode=verify-full；自建机构请加上 sslrootcert",
    ],
    drain_seconds_zero: [
      "DRAIN_SECONDS 为 0：负载均衡器发现节点关闭之前，仍会把请求发到这里",
      "设为比负载均衡器检查 /health/ready 的间隔多几秒",
    ],
    username_pattern_wide: [
      "USERNAME_PATTERN {pattern} 允许带空格、不可见字符或以 service: 开头的名字",
      "请排除它们：无论规则如何，玩家都不能使用这样的名字",
    ],
    limits_off: ["RATE_LIMIT_FACTOR 为 0：猜测密码和验证码不受限制", "除测试外请删掉它"],
    address_unencrypted: [
      ({ setting, address, cookie }) =>
        `${String(setting)} 是 ${String(address)}：密码以明文传输${cookie === true ? "，在这台主机上监听的程序都能拿到控制台的 Cookie" : ""}`,
      "改用 https",
    ],
    smtp_unset: ["未设置 SMTP_URL：验证码邮件只写入文件，用户收不到", "把它设为你的邮件服务器"],
    mail_sender_local: ["邮件的发件人是 {sender}，没有邮件服务器会接受", "设置 MAIL_FROM"],
    backups_unscheduled: [
      "没有安排自动备份",
      "设置 BACKUP_SCHEDULE，或用自己的计划任务运行 cloakroom backup",
    ],
    backup_secrets_open: ["备份存入存储桶，其中的密钥未加密", "设置 BACKUP_PASSPHRASE"],

    disk_low: ["剩余 {free}，数据库占用 {database}", "腾出空间：备份需要数据库两倍的空间"],
    disk_full: ["剩余 {free}", "腾出空间：磁盘满后将无法上传和登录"],
    texture_disk_low: ["材质所在磁盘剩余 {free}", "腾出空间"],
    texture_disk_full: ["材质所在磁盘剩余 {free}", "腾出空间：磁盘满后将无法上传"],
    clock_behind: ["最新的记录写于 {newest}，这在未来", "校准本机时钟，并用 NTP 保持准确"],
    open_files_few: [
      "此服务器最多只能同时打开 {most} 个文件（含连接）",
      "请允许 {least} 个或更多：服务单元的 LimitNOFILE、手动启动前的 ulimit -Hn、Docker 的 --ulimit nofile 或 ulimits",
    ],

    nodes_versions: ["各节点运行的版本：{versions}", "让所有节点使用同一版本"],
    nodes_textures_apart: [
      "BLOBS 为 files，而有多个节点在运行：每个节点都需要同样的文件",
      "把 BLOBS 设为存储桶，或让所有节点共用一个共享文件系统上的 DATA_DIR",
    ],
    nodes_public_url_unset: [
      "未设置 PUBLIC_URL，而有多个节点在运行：材质地址和邮件中的链接会指向生成它们的节点",
      "停止所有节点，在每个节点上把 PUBLIC_URL 设为负载均衡器的地址，再启动",
    ],
    nodes_public_url_other: [
      "PUBLIC_URL 与 {nodes} 不同：在一个节点上的登录在另一个节点上无效",
      sameSettings,
    ],
    nodes_setting_other: ["本机的 {setting} 与 {nodes} 不同", sameSettings],

    mail_server_refuses: ["{place}：{reason}", "检查 SMTP_URL：主机、端口、smtp 或 smtps、用户和密码"],
    address_silent: ["{address} 没有应答：{reason}", "服务器在运行吗？域名和代理是否指向它？"],
    address_foreign: [
      "{address} 有应答，但不是 cloakroom（状态 {status}）",
      "把 PUBLIC_URL 设为代理转发到此服务器的地址，包括路径",
    ],
    address_clock: ["它的时钟与本机相差 {seconds} 秒", "用 NTP 校准两边的时钟"],
    address_other_data: ["{address} 指向数据不同的 cloakroom：它不认识这里的一个材质", whereItLeads],
    texture_changed: [
      "{address} 返回的文件与这里的不同，或缺少 ETag",
      "不要让代理或 CDN 改动图片及其响应头；如果都没有改动，请检查代理指向哪里",
    ],
    texture_refused: [
      "请求这里已有的材质时，{address} 返回状态 {status}",
      "原因见服务器日志，以及 doctor 关于材质和存储桶的说明",
    ],
    texture_foreign: [
      "应答 {address} 的是别的程序（状态 {status}）",
      "让代理把 PUBLIC_URL 下的所有路径转发到此服务器，包括 /textures",
    ],
    launchers_address_unset: [
      "未设置 PUBLIC_URL：其他机器上的游戏会到此服务器的监听地址寻找皮肤",
      "把它设为玩家在启动器中填写的地址",
    ],
    launchers_address_local: ["其他机器上的游戏在 {host} 找不到皮肤", "把 PUBLIC_URL 设为它们能访问的域名"],
    launchers_unencrypted: ["启动器会以明文向 {address} 发送密码和令牌", "改用 https"],
    launchers_unreadable: ["启动器无法读取 {address}：{reason}", pathForwarded],
    launchers_status: ["启动器无法读取 {address}：返回状态 {status}", pathForwarded],
    launchers_foreign: ["启动器无法读取 {address}：应答的不是 cloakroom", pathForwarded],
    launchers_certificate: [
      ({ address, cause }) =>
        `启动器无法读取 ${String(address)}：证书${refusedFor[String(cause)] ?? "不可用"}`,
      ({ cause }) => renewal(cause, "PUBLIC_URL", true),
    ],
    launchers_other_host: [
      "服务器声明皮肤来自 {announced}，但皮肤地址以 {host} 开头",
      "给服务器设置相同的 PUBLIC_URL，并重新启动",
    ],
    launchers_other_key: ["{address} 声明的密钥与这里保存的不同", whereItLeads],

    certificate_refused: [
      ({ by, cause }) => `${String(by)} 的证书${refusedFor[String(cause)] ?? "不可用"}`,
      ({ cause, setting, own }) => renewal(cause, setting, own),
    ],
    certificate_unusable: ["{reason}", "设置带证书链的证书及其私钥，使用服务器用户可读的 PEM 文件"],
    certificate_early: [
      "TLS_CERT 的证书从 {from} 起才有效：在此之前客户端会拒绝",
      "校准本机时钟，或在此之前使用原来的证书",
    ],
    certificate_ended: [
      "TLS_CERT 的证书已于 {end} 过期：客户端会拒绝",
      "请续期：服务器无需重启即可读取新文件。如果证书没有问题，请校准本机时钟",
    ],
    certificate_ending: ["TLS_CERT 的证书将于 {end} 过期", "请续期，并查明为什么没有自动续期"],
    certificate_other_name: [
      "TLS_CERT 的证书不含 PUBLIC_URL 的域名 {host}，而是 {names}",
      "为该域名申请证书：除非代理出示另一张证书，客户端会拒绝现在这张",
    ],

    backups_late: [
      "{place} 中有 {count} 个备份，最新的是 {hours} 小时前的",
      "查看服务器日志中的错误，或试运行 cloakroom backup",
    ],
    backups_none: ["还没有备份（{place}）", `${backUpNow}，并看到是否成功`],
    backup_folder_unusable: [
      "BACKUP_DIR {folder} 无法使用：{reason}",
      "把它交给服务器用户，或把 BACKUP_DIR 设为该用户可写的文件夹",
    ],
    backups_unreadable: ["{reason}", "检查以 S3_ 开头的设置，或哪个用户可以读取 BACKUP_DIR"],
    backup_from_future: ["{name} 的时间在未来", "校准时钟，删除或重命名它"],
    backup_incomplete: ["{name} 缺少已丢失的材质", "请看 cloakroom fsck；完整的备份会保留在旁边"],
    backup_unreadable: ["{reason}", `把文件移走；${backUpNow}`],
    backup_foreign: [
      ({ name, empty }) => `${String(name)} 不是备份${empty === true ? "：文件是空的" : ""}`,
      `删除它；${backUpNow}`,
    ],

    database_unwritable: ["无法写入：更改会被拒绝", "原因见服务器日志；处理方法见 cloakroom doctor"],
    textures_unwritable: ["无法写入：上传会失败", "原因见服务器日志；处理方法见 cloakroom doctor"],
    mails_stuck: ["邮件发不出去", "查看发件箱，以及邮件服务器的答复"],
    check_failed: ["{reason}", "{remedy}"],
    check_late: ["{seconds} 秒内没有应答", "先处理这里指出的问题，再运行 cloakroom doctor"],
    file_refused: ["{reason}", "更正或删除该文件"],
  },
};
