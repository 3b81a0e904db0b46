using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Requests;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Values;

/// <summary>Values where they are asked for: those that are longer than an entry go and come in pieces. Loop
/// only.</summary>
internal sealed class ValueSide(
    IServer server,
    KeyValueOptions options,
    AskingSide asking,
    MemberHost host,
    ValueStreams streams
)
{
    /// <summary>Longest value that lies in its entry.</summary>
    public const int MostInEntry = 64 << 10;

    /// <summary>Longest value that is given as a whole.</summary>
    public const int MostAtOnce = 1 << 20;

    // Readers and writers with a piece in memory: 64 MiB.
    private const int MostOpen = 256;

    // Buffers that a disk has which stands still. It may never answer.
    private const int MostLent = 8;

    private const long SoonNanos = 50_000_000;

    // Of times-out of a request: a fourth of the time that pieces are kept.
    private const int Touches = 4;
    private readonly List<ValueWriter> _writers = [];
    private readonly Stack<byte[]> _idle = [];
    private int _open;
    private int _lent;
    private ulong _last;

    public long NowNanos => server.NowNanos;

    /// <summary>When what begins now is given up.</summary>
    public long UntilNanos => server.NowNanos + (long)options.Timeout.TotalNanoseconds;

    /// <summary>Values that are read or written now.</summary>
    public int Busy => _open;

    /// <summary>Reads a value as a whole.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<KeyValueAnswer> GetAsync(
        KeyValueKey key,
        KeyValueReads reads,
        IBufferWriter<byte>? value,
        IBufferWriter<byte>? metadata
    )
    {
        long until = UntilNanos;
        bool isLook = value is null && metadata is null;
        AttemptReply said = await FindAsync(key, reads, isReturned: true, isLook);
        if (!IsInPieces(said))
        {
            // Most are: nothing is made for them.
            if (said.Answer.Status == KeyValueStatus.Done)
            {
                metadata?.Write(said.Metadata.Span);
                value?.Write(said.Value.Span);
            }

            asking.Return(said);
            return said.Answer;
        }

        using ValueReader reader = Open(key, said);
        reader.UntilNanos = until;
        KeyValueAnswer answer = reader.Answer;
        if (answer.Status != KeyValueStatus.Done)
        {
            return answer;
        }

        if (value is not null && answer.Length > MostAtOnce)
        {
            metadata?.Write(reader.Metadata.Span);
            return answer with { Status = KeyValueStatus.TooLarge };
        }

        byte[]? whole = null;
        if (value is not null && answer.Length > MostInEntry)
        {
            // All of it or nothing.
            whole = new byte[answer.Length];
        }

        int done = 0;
        while (value is not null)
        {
            KeyValuePart part = await reader.ReadAsync();
            if (part.Status != KeyValueStatus.Done)
            {
                return answer with { Status = part.Status };
            }

            if (part.Bytes.IsEmpty)
            {
                break;
            }

            if (whole is null)
            {
                value.Write(part.Bytes.Span);
                continue;
            }

            part.Bytes.CopyTo(whole.AsMemory(done));
            done += part.Bytes.Length;
        }

        value?.Write(whole);
        metadata?.Write(reader.Metadata.Span);
        return answer;
    }

    /// <summary>Begins to read a value.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<ValueReader> OpenReadAsync(KeyValueKey key, KeyValueReads reads)
    {
        AttemptReply said = await FindAsync(key, reads, isReturned: false);
        return Open(key, said);
    }

    private static bool IsInPieces(in AttemptReply said) =>
        said is { IsInPieces: true, Answer.Status: KeyValueStatus.Done };

    private ValueTask<AttemptReply> FindAsync(
        KeyValueKey key,
        KeyValueReads reads,
        bool isReturned,
        bool isLook = false
    )
    {
        if (!IsKey(key))
        {
            return new ValueTask<AttemptReply>(new AttemptReply { Answer = new KeyValueAnswer(KeyValueStatus.BadKey) });
        }

        RequestType type =
            reads == KeyValueReads.Any ? RequestType.GetAny
            : isLook ? RequestType.Look
            : RequestType.Get;
        return asking.FindAsync(
            new Asking
            {
                Type = type,
                Key = key,
                IsReturned = isReturned,
            }
        );
    }

    private ValueReader Open(in KeyValueKey key, AttemptReply said)
    {
        if (!IsInPieces(said))
        {
            return new ValueReader(this, said, null, []);
        }

        PieceList? list = PieceList.Read(said.Value.Span);
        if (list is null)
        {
            said = said with { Answer = said.Answer with { Status = KeyValueStatus.DataAway } };
        }

        GroupId group = GroupOf(key);
        Coordinate[] sources = [said.Source, .. MembersOf(group).Where(server => server != said.Source)];
        return new ValueReader(this, said, list, sources);
    }

    /// <summary>Begins to write a value.</summary>
    public ValueWriter OpenWrite(KeyValueKey key)
    {
        // Server, run and number: no other value has it.
        ulong low = ((ulong)(uint)server.Shape.RankOf(server.Coordinate) << 40) | ++_last;
        return new ValueWriter(this, key, new PieceId(streams.Endpoint.Run, low));
    }

    /// <summary>Puts a value that is here as a whole.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<KeyValueAnswer> PutAsync(KeyValueKey key, ReadOnlyMemory<byte> value, KeyValuePut put)
    {
        KeyValueStatus status = Check(key, value.Length);
        if (status == KeyValueStatus.Done && put.Metadata.Length > OperationFormat.MostMetadata)
        {
            status = KeyValueStatus.TooLarge;
        }

        if (status != KeyValueStatus.Done)
        {
            return new KeyValueAnswer(status);
        }

        if (value.Length <= MostInEntry)
        {
            return await asking.AskAsync(AskingOf(key, value, put));
        }

        using ValueWriter writer = OpenWrite(key);
        status = await writer.WriteAsync(value);
        return status == KeyValueStatus.Done ? await writer.CommitAsync(put) : new KeyValueAnswer(status);
    }

    /// <summary>Gives a key a value whose pieces are written.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<KeyValueAnswer> NameAsync(KeyValueKey key, PieceList list, KeyValuePut put) =>
        put.Metadata.Length > OperationFormat.MostMetadata
            ? new KeyValueAnswer(KeyValueStatus.TooLarge)
            : await asking.AskAsync(
                AskingOf(key, list.ToBytes(), put) with
                {
                    IsInPieces = true,
                    Longer = Asking.LongerFor(list),
                }
            );

    /// <summary>Whether a value of this length can be put there.</summary>
    public KeyValueStatus Check(in KeyValueKey key, long length) =>
        !IsKey(key) ? KeyValueStatus.BadKey
        : length > options.MaxValueLength ? KeyValueStatus.TooLarge
        : KeyValueStatus.Done;

    /// <summary>Whether something can come of a value whose pieces are sent. It is not asked for while enough of those
    /// that should have it are in the view; else pieces would go to servers that can do nothing with them.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<bool> HasMajorityAsync(KeyValueKey key)
    {
        Coordinate[] members = [.. MembersOf(GroupOf(key))];
        if (2 * members.Count(server.Topology.IsReachable) > members.Length)
        {
            return true;
        }

        // Others may stand in for them, or they may be back soon.
        AttemptReply said = await asking.FindAsync(new Asking { Type = RequestType.Get, Key = key });
        return said.Answer.Status != KeyValueStatus.Unavailable;
    }

    /// <summary>The ways of a value's pieces to all that should have it.</summary>
    public List<ValueLane> Open(ValueWriter writer, in KeyValueKey key, PieceId id)
    {
        GroupId group = GroupOf(key);
        _writers.Add(writer);
        List<ValueLane> lanes = [];
        foreach (Coordinate member in MembersOf(group))
        {
            lanes.Add(new ValueLane(this, member, group.Number, id));
        }

        return lanes;
    }

    /// <summary>A writer is over.</summary>
    public void Left(ValueWriter writer) => _writers.Remove(writer);

    /// <summary>Every so often: what slow writers have written is kept.</summary>
    public void Look()
    {
        long before = server.NowNanos - (Touches * (long)options.Timeout.TotalNanoseconds);
        foreach (ValueWriter writer in _writers)
        {
            writer.Touch(before);
        }
    }

    /// <summary>Opens a stream to a server that should have pieces. False: it cannot be reached, or too many
    /// are.</summary>
    public bool TryOpen(Coordinate member, [NotNullWhen(true)] out WatchedStream? stream)
    {
        stream = null;
        return server.Topology.IsReachable(member)
            && streams.TryOpen(member, ValueWire.Writing, options.Timeout, out stream);
    }

    /// <summary>How long a server that gets pieces may stand still: the last one longer.</summary>
    public long PatienceFor(int lanes) => (long)(lanes > 1 ? options.SlowAfter : options.Timeout).TotalNanoseconds;

    public void Close(WatchedStream lane) => streams.Close(lane);

    /// <summary>Reads pieces that lie on this server's disk. Null: not all do, or the disk stands still.</summary>
    public OwnPieces? Own(PieceList list) =>
        _lent < MostLent
        && host.Pieces.StoreWith(list.Id) is { IsOpen: true } store
        && store.Records.Pieces.Pieces.IsWhole(list)
            ? new OwnPieces(server, this, host.Pieces, list)
            : null;

    /// <summary>How long this server's disk may stand still before another server is asked.</summary>
    public TimeSpan Patience => options.SlowAfter;

    /// <summary>Asks a server for pieces.</summary>
    /// <param name="source">The server.</param>
    /// <param name="list">The value.</param>
    /// <param name="untilNanos">When it must be here: of the time that is left others may have half.</param>
    /// <param name="onRest">Is told that nothing was asked for a while.</param>
    public PieceAsker? Ask(Coordinate source, PieceList list, long untilNanos, Action onRest)
    {
        var left = TimeSpan.FromMicroseconds(Math.Max(0, untilNanos - server.NowNanos) / 2_000);
        return PieceAsker.Open(streams, source, list, left > options.Silence ? left : options.Silence, onRest);
    }

    /// <summary>Before those who have a value are asked once more.</summary>
    public ValueTask<bool> PauseAsync() => server.DelayAsync(options.Silence / 4);

    /// <summary>Whether a time was just now.</summary>
    public bool IsSoon(long nanos) => server.NowNanos - nanos < SoonNanos;

    /// <summary>A value begins to be read or written: it gets a buffer for a piece. False: too many do.</summary>
    public bool TryBegin([NotNullWhen(true)] out byte[]? buffer)
    {
        buffer = null;
        if (_open >= MostOpen)
        {
            return false;
        }

        _open++;
        buffer = _idle.TryPop(out byte[]? idle) ? idle : GC.AllocateUninitializedArray<byte>(LogPieces.BufferBytes);
        return true;
    }

    /// <summary>A second buffer, for what is read ahead, while there are many.</summary>
    public bool TryBeginAhead([NotNullWhen(true)] out byte[]? buffer)
    {
        buffer = null;
        return _open < MostOpen / 2 && TryBegin(out buffer);
    }

    /// <summary>It waits no longer for the disk, which has its buffer until <see cref="Returned"/>.</summary>
    public void Lend()
    {
        _open--;
        _lent++;
    }

    /// <summary>The disk has answered after all.</summary>
    public void Returned() => _lent--;

    /// <summary>It gives its buffer back.</summary>
    public void End(byte[] buffer)
    {
        _open--;
        if (_idle.Count < MostOpen / 8)
        {
            _idle.Push(buffer);
        }
    }

    /// <summary>Whether there is such a key, and such a table.</summary>
    public static bool IsKey(in KeyValueKey key) =>
        key.Bytes.Length is > 0 and <= KeyValueKey.MostBytes && key.Table is >= 0 and < GroupId.MostTables;

    private static Asking AskingOf(in KeyValueKey key, ReadOnlyMemory<byte> value, in KeyValuePut put) =>
        new()
        {
            Type = RequestType.Put,
            Key = key,
            Condition = put.Condition,
            Metadata = put.Metadata,
            Expires = put.Expires,
            Value = value,
        };

    private GroupId GroupOf(in KeyValueKey key) =>
        GroupId.Of(key.Table, KeyRoute.Of(key.Table, key.Bytes.Span), server.Shape);

    // Those who have it as far as is known here; else those who should.
    private IEnumerable<Coordinate> MembersOf(GroupId id)
    {
        List<Coordinate> members = [];
        if (host.Find(id)?.State is { IsDropped: false, Epoch: { } epoch })
        {
            foreach (StoreId store in epoch.Members)
            {
                members.Add(store.Server);
            }
        }

        return members.Count > 0 ? members : id.Planned(server.Shape, options.CopiesOf(id.Table));
    }
}
