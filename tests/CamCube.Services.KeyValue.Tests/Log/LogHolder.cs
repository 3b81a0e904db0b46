using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Tests.Log;

/// <summary>A service that has a log and notes what it is told.</summary>
internal sealed class LogHolder(IServer server) : CamCubeService, ILogOwner
{
    public IServer Server => server;

    public LogOpening? Opening { get; private set; }

    /// <summary>Index and value of what was found, in order.</summary>
    public List<(ulong Index, byte[] Value, LogLocation At)> Seen { get; } = [];

    /// <summary>Calls of <see cref="Synced"/>: the first ticket, and how many.</summary>
    public List<(ulong First, int Count)> Syncs { get; } = [];

    /// <summary>Locations by ticket.</summary>
    public Dictionary<ulong, LogLocation> At { get; } = [];

    public DiskStatus? Failure { get; private set; }

    public override Verdict OnPacket(in HopContext hop, Packet packet) => Verdict.Consume;

    public void Open(LogOptions options) =>
        server.Loop.Run(async () => Opening = await LogOpener.OpenAsync(server, options, this).ConfigureAwait(true));

    public void Found(
        in LogRecord record,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        ReadOnlySpan<byte> value,
        LogLocation location
    )
    {
        Assert.Equal(LogBench.RecordOf(record.Index), record);
        Assert.Equal(LogBench.KeyOf(record.Index), key.ToArray());
        Assert.Equal([7, 7], extra.ToArray());
        Seen.Add((record.Index, value.ToArray(), location));
    }

    public void Synced(ulong first, ReadOnlySpan<LogLocation> locations)
    {
        Syncs.Add((first, locations.Length));
        foreach (LogLocation location in locations)
        {
            At.Add(first++, location);
        }
    }

    public void Failed(DiskStatus status) => Failure = status;
}
