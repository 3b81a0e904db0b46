using System.Runtime.InteropServices;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Members;

/// <summary>The stores of a server, by table. Loop only.</summary>
internal sealed class MemberStores
{
    // Of a log in memory: room for the longest record, and again as much for what comes meanwhile.
    private const int MemoryBuffer = 768 << 10;
    private const int MemorySegment = 2 << 20;

    // So many low bits of an id are the system's.
    private const int SecretBits = 12;
    private readonly TimeSpan _waitsFor;
    private readonly bool[] _areInMemory = new bool[GroupId.MostTables];

    /// <param name="options">Settings: which tables there are.</param>
    /// <param name="records">Makes what the groups of a store write.</param>
    /// <param name="failed">Is told that a log takes nothing more.</param>
    public MemberStores(KeyValueOptions options, Func<MemberLog> records, Action<DiskStatus> failed)
    {
        ushort each = 0;
        for (int table = 0; table < _areInMemory.Length; table++)
        {
            TableMode mode = options.ModeOf(table);
            each |= (ushort)(mode is { SyncsEach: true, IsInMemory: false } ? 1 << table : 0);
            _areInMemory[table] = mode is { Copies: > 0, IsInMemory: true };
            _waitsFor =
                _areInMemory[table] && mode.ReadsByLease ? options.Silence * (1 + options.ClockDrift) : _waitsFor;
        }

        Disk = new MemberStore(false, records(), failed) { Each = each };
        HasDiskTables = Enumerable.Range(0, GroupId.MostTables).Any(t => !IsInMemory(t) && options.CopiesOf(t) > 0);
        Memory = Array.Exists(_areInMemory, static m => m) ? new MemberStore(true, records(), failed) : null;
    }

    /// <summary>That on the disk.</summary>
    public MemberStore Disk { get; }

    /// <summary>That in memory; null: no table is.</summary>
    public MemberStore? Memory { get; }

    /// <summary>Some table is on the disk.</summary>
    public bool HasDiskTables { get; }

    /// <summary>All.</summary>
    public IEnumerable<MemberStore> All => Memory is null ? [Disk] : [Disk, Memory];

    /// <summary>Records that are not durable yet.</summary>
    public int Behind => Disk.Records.Recorder.Behind + (Memory?.Records.Recorder.Behind ?? 0);

    /// <summary>Bytes of the logs that are needed.</summary>
    public long Needed => Disk.Records.Keeper.Needed + (Memory?.Records.Keeper.Needed ?? 0);

    /// <summary>Whether a table is in memory.</summary>
    public bool IsInMemory(int table) => _areInMemory[table];

    /// <summary>Where a group is.</summary>
    public MemberStore Of(GroupId group) => IsInMemory(group.Table) ? Memory! : Disk;

    /// <summary>Nothing is done in any of them any more.</summary>
    public void Close()
    {
        foreach (MemberStore store in All)
        {
            store.IsOpen = false;
        }
    }

    /// <summary>Opens that in memory, empty.</summary>
    /// <param name="server">The server.</param>
    /// <param name="run">A number that no other run of the service on it has.</param>
    /// <returns>Why not, in words; empty: it is open.</returns>
    public async ValueTask<string> OpenMemoryAsync(IServer server, ulong run)
    {
        if (Memory is not { } store)
        {
            return "";
        }

        if (_waitsFor > TimeSpan.Zero)
        {
            // The one before may have promised a leader to be with it for so long.
            await server.DelayAsync(_waitsFor);
        }

        // The run makes it another one than all before; that nobody knows it beforehand, the system's random numbers.
        store.Id = new StoreId(server.Coordinate, (run << SecretBits) | SecretOf(server));
        var options = new LogOptions
        {
            BufferBytes = MemoryBuffer,
            SegmentBytes = MemorySegment,
            AheadBytes = 0,
            Disk = MemoryDisk.Begin(server, 2 * MemorySegment),
        };
        if (options.Disk is null)
        {
            return "the server has no memory left for its tables (CamCube:Memory)";
        }

        LogOpening opening = await LogOpener.OpenAsync(server, options, store);
        if (opening.Log is not { } log)
        {
            return opening.Words;
        }

        store.Log = log;
        store.Records.Recorder.Bind(log);
        store.IsOpen = true;
        return "";
    }

    private static ulong SecretOf(IServer server)
    {
        ulong secret = 0;
        server.Random.FillSecret(MemoryMarshal.AsBytes(new Span<ulong>(ref secret)));
        return secret & ((1UL << SecretBits) - 1);
    }
}
