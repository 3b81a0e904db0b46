using System.Globalization;
using System.Text;
using CamCube.Services.KeyValue.Redis.Data;
using CamCube.Services.KeyValue.Redis.Protocol;
using CamCube.Services.KeyValue.Redis.Work;

namespace CamCube.Services.KeyValue.Redis.Sessions;

/// <summary>CONFIG: the settings that clients ask for, by Redis' names. They are set in the host's configuration.
/// </summary>
internal static class ConfigCommands
{
    public static void Run(SessionCall call)
    {
        switch (call.TextOf(1).ToLowerInvariant())
        {
            case "get" when call.Count > 2:
                Get(call);
                break;
            case "set" when call.Count > 3:
                call.Reply.Error(
                    "ERR settings are the host's: CamCube:FrontEnds:redis in its configuration (docs/redis.md)"
                );
                break;
            case "resetstat" when call.Count == 2:
                call.Context.Counters.Reset();
                call.Reply.Ok();
                break;
            default:
                call.RefuseWord();
                break;
        }
    }

    private static void Get(SessionCall call)
    {
        SortedDictionary<string, string> found = new(StringComparer.Ordinal);
        foreach ((string name, string value) in All(call.Context))
        {
            for (int i = 2; i < call.Count; i++)
            {
                byte[] pattern = Encoding.UTF8.GetBytes(call.TextOf(i).ToLowerInvariant());
                if (GlobPattern.Fits(pattern, Encoding.ASCII.GetBytes(name)))
                {
                    found[name] = value;
                }
            }
        }

        call.Reply.Map(found.Count);
        foreach ((string name, string value) in found)
        {
            call.Reply.Bulk(name);
            call.Reply.Bulk(value);
        }
    }

    private static IEnumerable<(string Name, string Value)> All(RedisContext context) =>
        [
            ("appendfsync", "always"),
            ("appendonly", "yes"),
            ("databases", RedisContext.MostTables.ToString(CultureInfo.InvariantCulture)),
            ("maxclients", context.Options.MaxConnections.ToString(CultureInfo.InvariantCulture)),
            ("maxmemory", "0"),
            ("maxmemory-policy", "noeviction"),
            ("port", (context.Endpoint?.Port ?? 0).ToString(CultureInfo.InvariantCulture)),
            ("proto-max-bulk-len", context.Options.MaxValueLength.ToString(CultureInfo.InvariantCulture)),
            ("replica-read-only", "no"),
            ("save", ""),
            ("slave-read-only", "no"),
            ("timeout", context.Options.IdleTimeout.ToString(CultureInfo.InvariantCulture)),
        ];
}
