using System.Buffers;
using System.Runtime.CompilerServices;
using CamCube.Messaging;
using CamCube.Services.KeyValue.Commands;
using CamCube.Services.KeyValue.Counting;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Recovery;
using CamCube.Services.KeyValue.Requests;
using CamCube.Services.KeyValue.Salvage;
using CamCube.Services.KeyValue.Values;
using CamCube.Services.KeyValue.Verification;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue;

/// <summary>
/// The key-value store (HPDC §5.2): each key on the disks of several servers, which agree on every change by majority;
/// a call on any server does its work wherever the key is. docs/key-value.md says what is guaranteed. Loop only.
/// </summary>
[CamCubeService(0x0170, "kv", Header = typeof(KeyValueHeader))]
public sealed class KeyValueService
    : CamCubeService,
        IKeyValueStore,
        IMessageHandler<KeyValueHeader>,
        IServiceCommands,
        IServiceHealth
{
    // A value, and what is said with it.
    private const int MostMessage = (2 << 20) + (128 << 10);

    // Of a long value so many go to the disk at once.
    private const int Pieces = 4;

    // How often a full disk is looked at on which a store is to begin.
    private static readonly TimeSpan RoomPause = TimeSpan.FromSeconds(1);

    private readonly IServer _server;
    private readonly KeyValueOptions _options;
    private readonly MessageChannel<KeyValueHeader> _channel;
    private readonly LeaderSide _leader;
    private readonly AskingSide _asking;
    private readonly LocalReads _local;
    private readonly Expirer _expirer;
    private readonly ListingSide _listing;
    private readonly BatchAsking _batches;
    private readonly MemberHost _host;
    private readonly Ticker _ticker;
    private readonly FirstStart _founding;
    private readonly StateSource _source;
    private readonly Recoverer _recoverer;
    private readonly StateFetcher _fetcher;
    private readonly ValueStreams _streams;
    private readonly ValueSide _values;
    private readonly KeyValueCounters _counters;
    private readonly CopySource _copies;
    private readonly Verifier _verifier;
    private readonly KeyValueCommands _commands;
    private readonly StoreHealth _health;
    private readonly FetchRate _rate = new();

    /// <summary>The store of one server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="options">Settings, valid.</param>
    public KeyValueService(IServer server, KeyValueOptions options)
    {
        (_server, _options) = (server, options);
        _counters = new KeyValueCounters(server.Counters);
        _channel = new MessageChannel<KeyValueHeader>(server, new MessageOptions { MaxLength = MostMessage }, this);
        var hasher = new KeyHasher(server);
        _leader = new LeaderSide(server, options, _channel, hasher);
        _host = new MemberHost(server, options, _channel, new KeyIndex(server), hasher, _leader, _counters);
        _leader.Host = _host;
        _asking = new AskingSide(server, options, _channel, _counters, _host);
        _batches = new BatchAsking(options, _asking);
        _local = new LocalReads(server, hasher, _host, _counters);
        _listing = new ListingSide(server, options, _asking);
        _expirer = new Expirer(server, _host, hasher, _asking, options.Timeout);
        _ticker = new Ticker(server, options, _channel, _host, _leader, _counters);
        _leader.Led = _ticker.Wake;
        _founding = new FirstStart(server, options, _channel, _host);
        _host.Bans.Heard = _founding.SayStore;
        _recoverer = new Recoverer(server, options, _channel, _host);
        _source = new StateSource(server, _channel, _host, _counters, options.Timeout);
        _fetcher = new StateFetcher(server, options, _channel, _host, _counters);
        (_host.StateDuty, _host.Pieces.Rotten) = (_fetcher, _fetcher.Repairer.RottenPiece);
        _streams = new ValueStreams(server, options, _host.Pieces, _host.Pieces.Pace, _counters);
        _host.Pieces.Duty = new PieceFetcher(server, options, _host.Pieces, _streams, _host.Pieces.Pace, _counters)
        {
            Ended = _fetcher.OnPieces,
        };
        _values = new ValueSide(server, options, _asking, _host, _streams);
        _streams.LookOn = _values.Look;
        _copies = new CopySource(server, _channel, _host);
        _verifier = new Verifier(server, options, _channel, _copies);
        string[] tables = [.. options.TableTexts];
        _commands = new KeyValueCommands(server, this, _verifier, _founding, _counters, _recoverer, tables);
        _health = new StoreHealth(_counters);
        _ticker.Counted = Counted;
    }

    /// <inheritdoc/>
    public int MaxValueLength => _options.MaxValueLength;

    /// <inheritdoc/>
    public string? Failure =>
        _host.Failure.Length > 0 ? _host.Failure
        : _host.DiskFailure.Length > 0 ? $"of tables on disks: {_host.DiskFailure}"
        : null;

    /// <inheritdoc/>
    public string? Unwell => Failure is { } failure ? $"keeps no part of the store: {failure}" : _health.Words;

    /// <inheritdoc/>
    public int CopiesOf(int table) => _options.CopiesOf(table);

    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands => _commands.Commands;

    /// <summary>The groups.</summary>
    internal MemberHost Host => _host;

    /// <summary>What is asked of groups that are led here.</summary>
    internal LeaderSide Leader => _leader;

    /// <summary>Long values that are read or written by clients of this server.</summary>
    internal int OpenValues => _values.Busy;

    /// <summary>The first start.</summary>
    internal FirstStart Founding => _founding;

    /// <summary>Recovery by hand.</summary>
    internal Recoverer Recoverer => _recoverer;

    /// <summary>Compares copies.</summary>
    internal Verifier Verifier => _verifier;

    /// <summary>A mistake that it makes, for tests; set before it starts.</summary>
    internal PlantedMistake Mistake
    {
        set => (_leader.Mistake, _host.Mistake) = (value, value);
    }

    /// <summary>Requests of which is known what came of them.</summary>
    internal int Remembered => _host.Members.Sum(static m => m.Requests.Count);

    /// <summary>Requests that are open here, asked and answered.</summary>
    internal (int Asked, int Answering) Open => (_asking.Open, _leader.Open);

    /// <summary>Changes that had rotted here, and came from another member.</summary>
    internal long Repaired => _counters.Repaired.Value;

    /// <summary>Bytes of long values that this server fetched.</summary>
    internal long FetchedBytes => _counters.FetchedBytes.Value;

    /// <summary>Bytes that this server fetched: states, and pieces of long values.</summary>
    internal long RecoveredBytes => _counters.FetchedBytes.Value + _counters.FetchedStateBytes.Value;

    /// <summary>States that are fetched by this server.</summary>
    internal int Fetching => _fetcher.Open;

    /// <inheritdoc/>
    public ValueTask<KeyValueAnswer> GetAsync(
        KeyValueKey key,
        KeyValueReads reads,
        IBufferWriter<byte>? value,
        IBufferWriter<byte>? metadata
    ) =>
        reads == KeyValueReads.Latest && _local.TryGet(key, value, metadata, out KeyValueAnswer answer)
            ? new ValueTask<KeyValueAnswer>(answer)
            : _values.GetAsync(key, reads, value, metadata);

    /// <inheritdoc/>
    public bool TryGet(KeyValueKey key, IBufferWriter<byte>? value, out KeyValueAnswer answer) =>
        _local.TryGet(key, value, null, out answer);

    /// <inheritdoc/>
    public bool TryGet(
        KeyValueKey key,
        IBufferWriter<byte>? value,
        IBufferWriter<byte>? metadata,
        out KeyValueAnswer answer
    ) => _local.TryGet(key, value, metadata, out answer);

    /// <inheritdoc/>
    public ValueTask<KeyValueAnswer> PutAsync(KeyValueKey key, ReadOnlyMemory<byte> value, KeyValuePut put) =>
        _values.PutAsync(key, value, put);

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<IKeyValueReader> OpenReadAsync(KeyValueKey key, KeyValueReads reads) =>
        await _values.OpenReadAsync(key, reads);

    /// <inheritdoc/>
    public IKeyValueWriter OpenWrite(KeyValueKey key) => _values.OpenWrite(key);

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<KeyValueAnswer> DeleteAsync(KeyValueKey key, KeyValueCondition condition) =>
        ValueSide.IsKey(key)
            ? await _asking.AskAsync(
                new Asking
                {
                    Type = RequestType.Delete,
                    Key = key,
                    Condition = condition,
                }
            )
            : new KeyValueAnswer(KeyValueStatus.BadKey);

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<KeyValueAnswer> ChangeAsync(
        KeyValueKey key,
        KeyValueChange change,
        IBufferWriter<byte>? value
    )
    {
        if (!ValueSide.IsKey(key) || change.Kind is KeyValueChangeKind.None or > KeyValueChangeKind.Expire)
        {
            return new KeyValueAnswer(KeyValueStatus.BadKey);
        }

        if (change.Value.Length > KeyValueChange.MostBytes || change.Metadata.Length > OperationFormat.MostMetadata)
        {
            return new KeyValueAnswer(KeyValueStatus.TooLarge);
        }

        return await _asking.AskAsync(Asking.Of(key, change), value, null);
    }

    /// <inheritdoc/>
    public ValueTask<KeyValueBatchAnswer> ApplyAsync(KeyValueBatch batch) => _batches.ApplyAsync(batch);

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<KeyValueAnswer> WaitAsync(KeyValueKey key, ulong unlike, TimeSpan time)
    {
        if (!ValueSide.IsKey(key))
        {
            return new KeyValueAnswer(KeyValueStatus.BadKey);
        }

        // In parts, so that each is found out soon when its leader is gone.
        long endNanos = _server.NowNanos + (long)time.TotalNanoseconds;
        while (true)
        {
            TimeSpan left = TimeSpan.FromMicroseconds(Math.Max(0, endNanos - _server.NowNanos) / 1_000);
            TimeSpan part = left < _options.Timeout ? left : _options.Timeout;
            var asking = new Asking
            {
                Type = RequestType.Wait,
                Key = key,
                Condition = KeyValueCondition.Is(unlike),
                Wait = part,
            };
            KeyValueAnswer answer = await _asking.AskAsync(asking);
            if (answer.Status != KeyValueStatus.Conflict || part == left)
            {
                return answer;
            }
        }
    }

    /// <inheritdoc/>
    public ValueTask<KeyValuePage> ListAsync(KeyValueKey prefix, string? cursor, int limit) =>
        _listing.ListAsync(prefix, cursor, limit);

    /// <inheritdoc/>
    public IReadOnlyList<KeyValueGroup> ListGroups() =>
        [
            .. _host
                .Members.OrderBy(static m => m.Id.Number)
                .Select(member => new KeyValueGroup(
                    member.Id.Table,
                    _server.Shape.At(member.Id.Home),
                    member.Id.Sequence
                )
                {
                    Epoch = member.State.Epoch?.Number ?? 0,
                    Generation = member.State.Epoch?.Generation ?? 0,
                    Members = MembersOf(member.State.Epoch),
                    Unreachable = member.Unreachable,
                    WithoutMajority = TimeSpan.FromMicroseconds(
                        (member.AloneNanos == 0 ? 0 : _server.NowNanos - member.AloneNanos) / 1_000
                    ),
                    Away = member.State.CommitMarks.Away,
                    Leader = member.Leader,
                    Applied = member.Shown,
                    Last = member.State.LastIndex,
                    BehindBytes = member.Tail.BytesBehind(member.Shown),
                }),
        ];

    /// <inheritdoc/>
    public override void OnStart()
    {
        _channel.Start();
        _streams.Start();
        _server.Loop.Run(OpenAsync);
    }

    /// <summary>Others lead before this server goes, and the next start has little to look at.</summary>
    public override async ValueTask OnStoppingAsync()
    {
        if (_host is { IsOpen: true, Failure: "" })
        {
            await _ticker.LeaveAsync();
            await _host.Snapshots.Stop();
        }
    }

    /// <inheritdoc/>
    public override void OnStop(StopReason reason)
    {
        _ticker.Stop();
        _expirer.Stop();
        _founding.Stop();
        _fetcher.Stop();
        _streams.Stop();
        _channel.Stop();
    }

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        if (_fetcher.Open > 0 && hop.IsDestination)
        {
            _counters.FetchingBytes.Add(hop.ArrivedOn, packet.BodyLength);
        }

        return StreamEndpoint<KeyValueHeader>.IsOfStreams(packet)
            ? _streams.Endpoint.OnPacket(hop, packet)
            : _channel.OnPacket(hop, packet);
    }

    /// <inheritdoc/>
    public override void OnTopologyChanged(in TopologyChange change)
    {
        _channel.OnTopologyChanged();
        _asking.OnTopologyChanged();
        _leader.OnTopologyChanged();
        _ticker.Wake();
        _streams.Endpoint.OnTopologyChanged(change);
    }

    bool IMessageHandler<KeyValueHeader>.OnArriving(in KeyValueHeader header, Coordinate source, int length) =>
        header.Type is MessageType.Groups or MessageType.Request or MessageType.Founding or MessageType.StateChunk
        || header.Type == MessageType.Record
        || _asking.IsWanted(header)
        || _verifier.IsWanted(header)
        || _recoverer.IsWanted(header);

    void IMessageHandler<KeyValueHeader>.OnMessage(in IncomingMessage<KeyValueHeader> message)
    {
        bool isRight = true;
        switch (message.Header.Type)
        {
            case MessageType.Groups:
                isRight = _host.Receive(message.Source, message.Content);
                break;
            case MessageType.Beat:
                _ticker.OnBeat(message.Source, message.Content);
                break;
            case MessageType.Request:
                isRight = _leader.OnRequest(message.Header, message.Source, message.Content);
                break;
            case MessageType.Answer or MessageType.Refusal:
                isRight = _asking.OnSaid(message);
                break;
            case MessageType.AskStore or MessageType.Store or MessageType.Founding:
                isRight = _founding.OnMessage(message.Header.Type, message.Source, message.Content);
                break;
            case MessageType.StateOffer:
                isRight = _fetcher.OnOffer(message.Source, message.Content);
                break;
            case MessageType.StateAsk:
                isRight = _source.OnAsk(message.Source, message.Content);
                break;
            case MessageType.RecordAsk:
                isRight = _fetcher.Repairer.OnAsk(message.Source, message.Content);
                break;
            case MessageType.Record:
                isRight = _fetcher.Repairer.OnRecord(message.Content);
                break;
            case MessageType.StateChunk:
                _counters.FetchedStateBytes.Add(message.Content.Length);
                isRight = _fetcher.OnChunk(message.Source, message.Content);
                break;
            case MessageType.CopyAsk:
                isRight = _copies.OnAsk(message.Header, message.Source, message.Content);
                break;
            case MessageType.CopyPage:
                isRight = _verifier.OnPage(message.Header, message.Content);
                break;
            case MessageType.SurveyAsk or MessageType.Survey or MessageType.Ban or MessageType.BanSaid:
                isRight = _recoverer.OnMessage(message.Header, message.Source, message.Content);
                break;
            default:
                isRight = false;
                break;
        }

        _counters.Malformed.Add(isRight ? 0 : 1);
    }

    // With each beat.
    private void Counted()
    {
        _counters.Fetching.Set(_fetcher.Open);
        long fetched = _counters.FetchedBytes.Value + _counters.FetchedStateBytes.Value;
        _counters.FetchedRate.Set(_rate.Take(_server.NowNanos, fetched));
        _health.Look(_founding.Waiting);
    }

    private static List<Coordinate> MembersOf(GroupEpoch? epoch)
    {
        List<Coordinate> members = [];
        foreach (StoreId member in epoch is null ? default : epoch.Members)
        {
            members.Add(member.Server);
        }

        return members;
    }

    private async ValueTask OpenAsync()
    {
        // A change of the longest value that lies in its entry, or a piece of a longer one, with key, metadata and
        // heads; and of pieces some at once, of entries as much again beside it.
        bool hasPieces = _options.MaxValueLength > ValueSide.MostInEntry;
        long record =
            Math.Min(_options.MaxValueLength, hasPieces ? Pieces * PieceList.PieceBytes : ValueSide.MostInEntry)
            + KeyValueKey.MostBytes
            + OperationFormat.MostMetadata
            + 1_024L;
        long buffer = Math.Clamp(2 * record, 64 << 10, LogOptions.MostBufferBytes);
        int segment = Math.Max(_options.SegmentBytes, (int)(2 * buffer)) & ~(Sectors.Size - 1);
        var options = new LogOptions
        {
            BufferBytes = (int)buffer,
            SegmentBytes = segment,
            ScrubPeriod = _options.ScrubPeriod,
            UsesHints = true,
            CutsRot = _host.Mistake == PlantedMistake.CutsRot,
        };
        await _host.OpenAsync(options);
        bool hasBegun = TryBegin();
        while (_host.WaitsForRoom && await _server.DelayAsync(RoomPause))
        {
            if (!hasBegun)
            {
                await _host.OpenAsync(options);
                hasBegun = TryBegin();
                continue;
            }

            // Until now there were tables in memory only.
            await _host.OpenDiskAsync(options);
            if (_host.IsDiskOpen)
            {
                _founding.Start();
            }
        }
    }

    // Without any part of the store it says so (Failure), and what is asked here goes to those who have one.
    private bool TryBegin()
    {
        if (_host.Failure.Length > 0)
        {
            return false;
        }

        _ticker.Start();
        _founding.Start();
        return true;
    }
}
