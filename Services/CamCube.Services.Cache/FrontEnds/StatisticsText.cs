using System.Buffers;
using System.Globalization;
using System.Text;

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>Text of <c>stats</c>: what the cache says, and what only the front end knows.</summary>
internal static class StatisticsText
{
    /// <summary>
    /// Asks the cache and writes the lines. Counts of connections and bytes are this server's in both cases: a client's
    /// connections to the other servers are theirs.
    /// </summary>
    internal static async ValueTask<CacheReply> CollectAsync(
        MemcachedContext context, bool wholeCube, IBufferWriter<byte> text)
    {
        IReadOnlyList<CacheStatistic> ofCache = await context.Door.GetStatisticsAsync(wholeCube).ConfigureAwait(false);

        var known = new HashSet<string>(StringComparer.Ordinal);
        foreach (CacheStatistic line in ofCache)
        {
            known.Add(line.Name);
            Write(text, line.Name, line.Value);
        }

        foreach (CacheStatistic line in OfFrontEnd(context))
        {
            if (!known.Contains(line.Name))
                Write(text, line.Name, line.Value);
        }

        text.Write("END\r\n"u8);
        return default;
    }

    /// <summary>Writes <c>stats settings</c>: memcached's names for what can be set here.</summary>
    internal static void WriteSettings(MemcachedContext context, IBufferWriter<byte> text)
    {
        Write(text, "maxconns", Number(context.Options.MaxConnections));
        Write(text, "tcpport", Number(context.Endpoint.Port));
        Write(text, "udpport", "0");
        Write(text, "inter", context.Endpoint.Address.ToString());
        Write(text, "verbosity", "0");
        Write(text, "domain_socket", "NULL");
        Write(text, "cas_enabled", "yes");
        Write(text, "tcp_backlog", Number(context.Options.Backlog));
        Write(text, "binding_protocol", "ascii");
        Write(text, "auth_enabled_sasl", "no");
        Write(text, "auth_enabled_ascii", "no");
        Write(text, "item_size_max", Number(context.MaxValueLength));
        Write(text, "flush_enabled", "yes");
        Write(text, "dump_enabled", "no");
        Write(text, "ssl_enabled", "no");
        text.Write("END\r\n"u8);
    }

    private static CacheStatistic[] OfFrontEnd(MemcachedContext context) =>
    [
        new("pid", Number(Environment.ProcessId)),
        new("version", MemcachedContext.Version),
        new("pointer_size", Number(IntPtr.Size * 8)),
        new("max_connections", Number(context.Options.MaxConnections)),
        new("curr_connections", Number(context.Connections.Count)),
        new("total_connections", Number(context.Counters.Accepted)),
        new("rejected_connections", Number(context.Counters.Rejected)),
        new("bytes_read", Number(context.Counters.BytesRead)),
        new("bytes_written", Number(context.Counters.BytesWritten)),
        new("get_timeouts", Number(context.Counters.GetTimeouts)),
        new("failed_commands", Number(context.Counters.Failures)),
    ];

    private static string Number(long number) => number.ToString(CultureInfo.InvariantCulture);

    private static void Write(IBufferWriter<byte> text, string name, string value)
    {
        text.Write("STAT "u8);
        Encoding.UTF8.GetBytes(name, text);
        text.Write(" "u8);
        Encoding.UTF8.GetBytes(value, text);
        text.Write("\r\n"u8);
    }
}
