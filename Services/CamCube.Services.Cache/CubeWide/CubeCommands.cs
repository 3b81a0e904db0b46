using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using CamCube.Calls;
using CamCube.Messaging;
using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Ownership;
using CamCube.Services.Cache.Store;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.CubeWide;

/// <summary>What concerns all servers: flush_all, statistics, and what a returning server must know of flushes to come.
/// Loop only.</summary>
internal sealed class CubeCommands(
    IServer server,
    CacheOptions options,
    MessageChannel<CacheHeader> channel,
    FlushMoment flush,
    CacheCounters counters
)
{
    private const int ReturnRounds = 4;
    private const long MostDelayNanos = long.MaxValue / 4;
    private const long MostDelayTicks = MostDelayNanos / TimeSpan.NanosecondsPerTick;
    private static readonly string Version =
        typeof(CubeCommands)
            .Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()
            ?.InformationalVersion.Split('+')[0]
        ?? "0.0.0";

    private readonly ServerRounds<CubeRound> _rounds = new(server);
    private readonly long _startNanos = server.NowNanos;

    // Returns that go on: this server may not know of flushes. One that was abandoned may still be asking when the next
    // begins.
    private int _returns;

    /// <summary>flush_all: on this server, and on all that can be reached, before it answers.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<CacheReply> FlushAllAsync(long delaySeconds)
    {
        if (!server.Topology.HasMajority)
        {
            return new CacheReply(CacheStatus.Unavailable);
        }

        counters[CacheCount.CmdFlush].Add();
        long ticks = server.TimeProvider.GetUtcNow().Ticks;
        long delayTicks = DelayTicks(delaySeconds, ticks - DateTime.UnixEpoch.Ticks);
        long milliseconds = (ticks - DateTime.UnixEpoch.Ticks) / TimeSpan.TicksPerMillisecond;
        flush.Note(flush.NewStamp(milliseconds), delayTicks * TimeSpan.NanosecondsPerTick);
        var round = new CubeRound(PacketKind.Flush, channel, flush);
        bool all = await _rounds.AskAsync(round, Others(), options.Attempts, options.Timeout);
        return new CacheReply(all ? CacheStatus.Done : CacheStatus.TimedOut);
    }

    /// <summary>Statistics of this server, or summed over all that answer.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<IReadOnlyList<CacheStatistic>> GetStatisticsAsync(bool wholeCube)
    {
        (long[] sums, _) = await CountAsync(wholeCube);
        return Describe(sums);
    }

    /// <summary>Counters of this server, or summed over all that answer, in the order of <see cref="CacheCount"/>; and
    /// of how many servers.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<(long[] Sums, int Servers)> CountAsync(bool wholeCube)
    {
        long[] sums = new long[CacheCounters.Length];
        ReadOwn(sums);
        var round = new CubeRound(PacketKind.Statistics, channel, flush) { Sums = sums };
        if (wholeCube)
        {
            await _rounds.AskAsync(round, Others(), options.Attempts, options.Timeout);
        }

        return (sums, round.Answered + 1);
    }

    /// <summary>
    /// Before this server takes its keys: a flush may be to come that was asked for while it was away. It asks the
    /// neighbours that it reaches, until one that knows has answered; nobody waits for who cannot be reached
    /// (docs/cache.md, flush_all).
    /// </summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder))]
    public async ValueTask LearnFlushesAsync()
    {
        _returns++;
        var neighbours = new List<Coordinate>();
        foreach (Link link in server.Shape.CabledLinks(server.Coordinate))
        {
            Coordinate neighbour = server.Topology.Neighbour(link);
            if (!neighbours.Contains(neighbour))
            {
                neighbours.Add(neighbour);
            }
        }

        // Neighbours that are returning themselves do not know; if all are, nobody does, after a while. Without the
        // majority the return was abandoned: the next one asks anew, and must not wait for this one.
        for (
            int i = 0;
            i < ReturnRounds
                && server.Topology.HasMajority
                && ReachesAny(neighbours)
                && !server.Stopping.IsCancellationRequested;
            i++
        )
        {
            // Short rounds: neighbours are one hop away.
            var round = new CubeRound(PacketKind.FlushQuery, channel, flush);
            await _rounds.AskAsync(round, neighbours, 1, options.Timeout / 3);
            if (round.HasKnowing)
            {
                break;
            }

            await server.DelayAsync(options.Timeout / 3);
        }

        _returns--;
    }

    /// <summary>Another server wants a flush.</summary>
    public void OnFlush(in IncomingMessage<CacheHeader> message)
    {
        FlushHead head = MemoryMarshal.Read<FlushHead>(message.Content);
        flush.Note(head.Stamp, Math.Clamp(head.DelayNanos, 0, MostDelayNanos));
        channel.Answer(message, Answering(message, PacketKind.Flushed), default, default);
    }

    /// <summary>Another server wants to know of flushes to come.</summary>
    public void OnFlushQuery(in IncomingMessage<CacheHeader> message)
    {
        CacheHeader header = Answering(message, PacketKind.FlushNews);
        header.Code = (byte)(_returns > 0 ? 0 : 1);
        var head = new FlushHead { Stamp = flush.Stamp, DelayNanos = flush.DelayNanos };
        channel.Answer(message, header, MemoryMarshal.AsBytes(new ReadOnlySpan<FlushHead>(in head)), default);
    }

    /// <summary>News of flushes for this server, which returns.</summary>
    public void OnFlushNews(in IncomingMessage<CacheHeader> message)
    {
        if (_returns > 0)
        {
            FlushHead head = MemoryMarshal.Read<FlushHead>(message.Content);
            flush.Note(head.Stamp, Math.Clamp(head.DelayNanos, 0, MostDelayNanos));
            OnAnswer(message);
        }
    }

    /// <summary>Another server wants this one's counters.</summary>
    public void OnStatistics(in IncomingMessage<CacheHeader> message)
    {
        Span<long> own = stackalloc long[CacheCounters.Length];
        ReadOwn(own);
        channel.Answer(message, Answering(message, PacketKind.Counted), MemoryMarshal.AsBytes(own), default);
    }

    /// <summary>A server answered.</summary>
    public void OnAnswer(in IncomingMessage<CacheHeader> message)
    {
        if (_rounds.TryAnswer(message.Header.Question, message.Source, out CubeRound? round))
        {
            round.Add(message);
        }
    }

    private static CacheHeader Answering(in IncomingMessage<CacheHeader> message, PacketKind kind) =>
        new() { Kind = (byte)kind, Question = message.Header.Question };

    // Up to 30 days from now, beyond them a Unix time, as every expiry.
    private static long DelayTicks(long seconds, long unixTicks)
    {
        long most = Math.Clamp(seconds, 0, MostDelayTicks / TimeSpan.TicksPerSecond) * TimeSpan.TicksPerSecond;
        return seconds <= ItemExpiry.MostRelativeSeconds ? most : Math.Max(0, most - unixTicks);
    }

    private static string Text(long value) => value.ToString(CultureInfo.InvariantCulture);

    private void ReadOwn(Span<long> values)
    {
        for (int i = 0; i < values.Length; i++)
        {
            values[i] = counters[(CacheCount)i].Value;
        }
    }

    private bool ReachesAny(List<Coordinate> servers)
    {
        foreach (Coordinate other in servers)
        {
            if (server.Topology.IsReachable(other))
            {
                return true;
            }
        }

        return false;
    }

    private List<Coordinate> Others()
    {
        var others = new List<Coordinate>(server.Shape.Count);
        for (int rank = 0; rank < server.Shape.Count; rank++)
        {
            Coordinate other = server.Shape.At(rank);
            if (other != server.Coordinate && server.Topology.IsReachable(other))
            {
                others.Add(other);
            }
        }

        return others;
    }

    private List<CacheStatistic> Describe(long[] values)
    {
        long unixSeconds = (server.TimeProvider.GetUtcNow().Ticks - DateTime.UnixEpoch.Ticks) / TimeSpan.TicksPerSecond;
        var list = new List<CacheStatistic>(CacheCounters.Length + 5)
        {
            new("pid", Text(Environment.ProcessId)),
            new("uptime", Text((server.NowNanos - _startNanos) / 1_000_000_000)),
            new("time", Text(unixSeconds)),
            new("version", Version),
            new("pointer_size", Text(IntPtr.Size * 8)),
        };
        for (int i = 0; i < values.Length; i++)
        {
            list.Add(new CacheStatistic(CacheCounters.NameOf((CacheCount)i), Text(values[i])));
        }

        return list;
    }
}
