using System.Globalization;
using System.Text;
using CamCube.Services.KeyValue.Redis.Protocol;
using CamCube.Services.KeyValue.Redis.Settings;
using CamCube.Services.KeyValue.Redis.Work;

namespace CamCube.Services.KeyValue.Redis.Sessions;

/// <summary>INFO: what this server says of itself, of all sections that clients look at.</summary>
internal static class InfoCommands
{
    public static void Run(SessionCall call)
    {
        HashSet<string> asked = new(StringComparer.Ordinal);
        for (int i = 1; i < call.Count; i++)
        {
            asked.Add(call.TextOf(i).ToLowerInvariant());
        }

        bool isAll = asked.Count == 0 || asked.Overlaps(["default", "all", "everything"]);
        var text = new StringBuilder();
        foreach ((string section, (string Name, object Value)[] facts) in Sections(call.Context))
        {
            if (!isAll && !asked.Contains(section.ToLowerInvariant()))
            {
                continue;
            }

            text.Append(text.Length > 0 ? "\r\n" : "").Append("# ").Append(section).Append("\r\n");
            foreach ((string name, object value) in facts)
            {
                text.Append(CultureInfo.InvariantCulture, $"{name}:{value}\r\n");
            }
        }

        call.Reply.Verbatim(text.ToString());
    }

    private static string PausedActions(PauseKind kind) =>
        kind switch
        {
            PauseKind.None => "none",
            PauseKind.Writes => "write",
            _ => "all",
        };

    private static IEnumerable<(string Section, (string Name, object Value)[] Facts)> Sections(RedisContext context)
    {
        yield return (
            "Server",
            [
                ("redis_version", ProtocolVersion.Text),
                ("redis_mode", "standalone"),
                ("camcube_server", context.Gate.Coordinate),
                ("camcube_shape", context.Gate.Shape),
                ("process_id", Environment.ProcessId),
                ("tcp_port", context.Endpoint?.Port ?? 0),
                ("server_time_usec", context.NowMillis * 1_000),
                ("uptime_in_seconds", context.UptimeSeconds),
            ]
        );
        yield return (
            "Clients",
            [
                ("connected_clients", context.Connections?.Count ?? 0),
                ("maxclients", context.Options.MaxConnections),
                ("blocked_clients", context.Pause.HeldCount),
                ("paused_actions", PausedActions(context.Pause.Kind)),
                ("paused_timeout_milliseconds", (long)context.Pause.Left.TotalMilliseconds),
            ]
        );
        yield return (
            "Memory",
            [("maxmemory", 0), ("maxmemory_policy", "noeviction"), ("requests_bytes", context.Budget.Used)]
        );
        yield return ("Persistence", [("loading", 0), ("aof_enabled", 1), ("rdb_bgsave_in_progress", 0)]);
        yield return (
            "Stats",
            [
                ("total_connections_received", context.Traffic?.Accepted ?? 0),
                ("total_commands_processed", context.Counters.Commands),
                ("rejected_connections", context.Traffic?.Rejected ?? 0),
                ("total_net_input_bytes", context.Traffic?.BytesRead ?? 0),
                ("total_net_output_bytes", context.Traffic?.BytesWritten ?? 0),
                ("total_error_replies", context.Counters.Errors),
                ("camcube_failed_commands", context.Counters.Failures),
                ("camcube_malformed_requests", context.Counters.Malformed),
                ("camcube_stalled_clients", context.Traffic?.Stalled ?? 0),
                ("camcube_refused_for_memory", context.Counters.RefusedForMemory),
                ("camcube_authentication_errors", context.Counters.AuthenticationErrors),
            ]
        );
        yield return ("Replication", [("role", "master"), ("connected_slaves", 0)]);
        yield return ("Cluster", [("cluster_enabled", 0)]);
    }
}
