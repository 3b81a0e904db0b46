using System.Globalization;
using CamCube.Messaging;
using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Members;

/// <summary>
/// The first start of all: the server with rank 0 asks every server of the cube for its store, and if all are there and
/// know nothing, these stores are those of the first start. Only groups with such a store among their members are ever
/// born, because it would know if they had been before. One server decides, so there is one such set; a disk that is
/// replaced later is in none. Loop only.
/// </summary>
internal sealed class FirstStart
{
    private readonly IServer _server;
    private readonly MessageChannel<KeyValueHeader> _channel;
    private readonly MemberHost _host;
    private readonly ServerTimer _timer;
    private readonly TimeSpan _pause;
    private readonly Dictionary<Coordinate, (StoreId Store, StoreState State)> _stores = [];
    private readonly WireWriter _writer = new();
    private readonly KeyValueOptions _options;
    private HashSet<Coordinate> _without = [];

    public FirstStart(IServer server, KeyValueOptions options, MessageChannel<KeyValueHeader> channel, MemberHost host)
    {
        (_server, _options, _channel, _host) = (server, options, channel, host);
        _pause = options.Silence / 2;
        _timer = server.CreateTimer(Ask);
    }

    /// <summary>What the first start waits for, in words; null: it was.</summary>
    public string? Waiting
    {
        get
        {
            if (!_host.IsDiskOpen || _host.IsFounding || !_host.IsBlank)
            {
                return null;
            }

            if (!Decides)
            {
                return $"the first start of the store, which server {DeciderOf(_without)} decides once all are there";
            }

            if (_stores.Values.Any(static s => s.State != StoreState.Blank))
            {
                return "the groups that it should have: the first start was long ago";
            }

            string[] missing =
            [
                .. Servers.Where(at => !_stores.ContainsKey(at) && !_without.Contains(at)).Select(static at => $"{at}"),
            ];
            return "the first start of the store, for which "
                + (missing.Length > 0 ? $"{string.Join(" ", missing)} must be there" : "all are there");
        }
    }

    /// <summary>Begins, once the log is open.</summary>
    public void Start()
    {
        if (_host.IsFounding)
        {
            _without = [.. Servers.Where(at => !_host.IsFounder(at))];
        }

        if (_host.IsDiskOpen && Decides && (_host.IsBlank || _host.IsFounding))
        {
            Ask();
        }
    }

    /// <summary>The first start is to be without some servers, which do not exist: it is, once all others are there.
    /// </summary>
    /// <param name="without">These.</param>
    /// <returns>Why not, in words; null: so it is.</returns>
    public string? Begin(IReadOnlyCollection<Coordinate> without)
    {
        Coordinate decides = DeciderOf(without);
        int left = _server.Shape.Count - without.Count,
            copies = Math.Min(_server.Shape.Count, MostCopies());
        string? wrong =
            !_host.IsDiskOpen ? "the store is not open here"
            : _host.IsFounding || !_host.IsBlank ? "the first start of the store was long ago"
            : without.Contains(_server.Coordinate) ? $"{_server.Coordinate} itself is there"
            : decides != _server.Coordinate ? $"server {decides} decides that: ask it"
            : left < copies
                ? string.Create(
                    CultureInfo.InvariantCulture,
                    $"{left} servers are left, and keys have {copies} copies: more servers, or fewer copies"
                )
            : without.FirstOrDefault(_server.Topology.IsReachable, _server.Coordinate) is var there
            && there != _server.Coordinate
                ? $"{there} is there"
            : null;
        if (wrong is null)
        {
            _without = [.. without];
            Ask();
        }

        return wrong;
    }

    public void Stop() => _timer.Cancel();

    /// <summary>A message arrived. False: it cannot be read.</summary>
    public bool OnMessage(MessageType type, Coordinate from, ReadOnlySpan<byte> content)
    {
        var reader = new WireReader(content);
        switch (type)
        {
            case MessageType.AskStore:
                _host.Ban(content[..(content.Length / EpochFormat.StoreLength * EpochFormat.StoreLength)]);
                if (_host.IsOpen)
                {
                    SayStore(from);
                }

                return content.Length % EpochFormat.StoreLength == 0;
            case MessageType.Store:
                StoreId store = EpochFormat.ReadStore(ref reader);
                var state = (StoreState)reader.Byte();
                ulong memory = reader.ULong();
                if (reader.IsBroken || store.Server != from || state > StoreState.Founding)
                {
                    return false;
                }

                ReadOnlySpan<byte> banned = reader.Rest();
                if (banned.Length % EpochFormat.StoreLength != 0)
                {
                    return false;
                }

                _host.Ban(banned);
                _host.Admission.Said(from);
                Peer peer = _host.Peers[from];
                peer.HeardNanos = _server.NowNanos;
                if (memory != 0)
                {
                    peer.Memory = new StoreId(from, memory);
                }

                if (store.Incarnation != 0)
                {
                    _stores[from] = (store, state);
                    peer.Store = store;
                }

                return true;
            case MessageType.Founding when _host.IsDiskOpen:
                while (reader.Left > 0)
                {
                    if (EpochFormat.ReadStore(ref reader) == _host.Store)
                    {
                        _host.Found(content.ToArray(), atOnce: true);
                    }
                }

                SayStore(from);
                return !reader.IsBroken;
            default:
                return true;
        }
    }

    // One server, so that there is one such set.
    private bool Decides => DeciderOf(_without) == _server.Coordinate;

    private IEnumerable<Coordinate> Servers => Enumerable.Range(0, _server.Shape.Count).Select(_server.Shape.At);

    private Coordinate DeciderOf(IReadOnlyCollection<Coordinate> without) =>
        Servers.FirstOrDefault(at => !without.Contains(at), _server.Coordinate);

    private int MostCopies() => Enumerable.Range(0, GroupId.MostTables).Max(_options.CopiesOf);

    /// <summary>Says what this server has, and who was given up.</summary>
    public void SayStore(Coordinate to)
    {
        _writer.Clear();
        EpochFormat.Write(_writer, _host.IsDiskOpen ? _host.Store : new StoreId(_server.Coordinate, 0));

        // Whoever says it is not told again: so it must not be forgotten.
        StoreState state =
            _host.IsFoundingSafe ? StoreState.Founding
            : _host.IsBlank ? StoreState.Blank
            : StoreState.Known;
        _writer.Byte((byte)state);
        _writer.ULong(_host.Memory?.Incarnation ?? 0);
        _writer.Bytes(_host.Bans.ToBytes());
        _channel.Send(new KeyValueHeader { Type = MessageType.Store }, _writer.Written, default, to);
    }

    // Until all are known to be of the first start; or until somebody knows that this was long ago.
    private void Ask()
    {
        Coordinate self = _server.Coordinate;
        _stores[self] = (_host.Store, _host.IsFounding ? StoreState.Founding : StoreState.Blank);
        if (!_host.IsFounding && _stores.Values.Any(static s => s.State != StoreState.Blank))
        {
            return;
        }

        bool areAll = _stores.Keys.Count(at => !_without.Contains(at)) + _without.Count == _server.Shape.Count;
        if (!_host.IsFounding && areAll)
        {
            _writer.Clear();
            foreach ((Coordinate at, (StoreId store, StoreState _)) in _stores)
            {
                if (!_without.Contains(at))
                {
                    EpochFormat.Write(_writer, store);
                }
            }

            _host.Found(_writer.Written.ToArray(), atOnce: false);
        }

        if (_host.IsFoundingSafe)
        {
            // Not before: with some who know it, and this server not after a crash, nobody would decide it.
            _host.BeFounding();
        }

        bool isOver = _host.IsFoundingSafe;
        for (int rank = 0; rank < _server.Shape.Count; rank++)
        {
            Coordinate at = _server.Shape.At(rank);
            bool isKnown = _stores.GetValueOrDefault(at).State == StoreState.Founding || _without.Contains(at);
            if (at == self || isKnown)
            {
                continue;
            }

            isOver = false;
            if (_host.Founders is { } founders)
            {
                if (_host.IsFoundingSafe)
                {
                    _channel.Send(new KeyValueHeader { Type = MessageType.Founding }, default, founders, at);
                }
            }
            else
            {
                _channel.Send(new KeyValueHeader { Type = MessageType.AskStore }, _host.Bans.ToBytes(), default, at);
            }
        }

        if (!isOver)
        {
            _timer.Arm(_pause);
        }
    }
}
