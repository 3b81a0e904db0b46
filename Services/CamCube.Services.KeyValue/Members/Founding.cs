using CamCube.Messaging;
using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Members;

/// <summary>
/// The first start of all: the server with rank 0 asks every server of the cube for its store, and if all are there and
/// know nothing, these stores are those of the first start. Only groups with such a store among their members are ever
/// born, because it would know if they had been before. One server decides, so there is one such set; a disk that is
/// replaced later is in none. Loop only.
/// </summary>
internal sealed class Founding
{
    private readonly IServer _server;
    private readonly MessageChannel<KeyValueHeader> _channel;
    private readonly MemberHost _host;
    private readonly ServerTimer _timer;
    private readonly TimeSpan _pause;
    private readonly Dictionary<Coordinate, (StoreId Store, StoreState State)> _stores = [];
    private readonly WireWriter _writer = new();

    public Founding(IServer server, KeyValueOptions options, MessageChannel<KeyValueHeader> channel, MemberHost host)
    {
        (_server, _channel, _host) = (server, channel, host);
        _pause = options.Silence / 2;
        _timer = server.CreateTimer(Ask);
    }

    /// <summary>Begins, once the log is open.</summary>
    public void Start()
    {
        if (_server.Shape.RankOf(_server.Coordinate) == 0 && (_host.IsBlank || _host.IsFounding))
        {
            Ask();
        }
    }

    public void Stop() => _timer.Cancel();

    /// <summary>A message arrived. False: it cannot be read.</summary>
    public bool OnMessage(MessageType type, Coordinate from, ReadOnlySpan<byte> content)
    {
        var reader = new WireReader(content);
        switch (type)
        {
            case MessageType.AskStore when _host.IsOpen:
                SayStore(from);
                return true;
            case MessageType.Store:
                StoreId store = EpochFormat.ReadStore(ref reader);
                var state = (StoreState)reader.Byte();
                if (reader.IsBroken || store.Server != from || state > StoreState.Founding)
                {
                    return false;
                }

                _stores[from] = (store, state);
                Peer peer = _host.Peers[from];
                (peer.Store, peer.HeardNanos) = (store, _server.NowNanos);
                return true;
            case MessageType.Founding when _host.IsOpen:
                while (reader.Left > 0)
                {
                    if (EpochFormat.ReadStore(ref reader) == _host.Store)
                    {
                        _host.Found(content.ToArray());
                    }
                }

                SayStore(from);
                return !reader.IsBroken;
            default:
                return true;
        }
    }

    private void SayStore(Coordinate to)
    {
        _writer.Clear();
        EpochFormat.Write(_writer, _host.Store);
        StoreState state =
            _host.IsFounding ? StoreState.Founding
            : _host.IsBlank ? StoreState.Blank
            : StoreState.Known;
        _writer.Byte((byte)state);
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

        if (!_host.IsFounding && _stores.Count == _server.Shape.Count)
        {
            _writer.Clear();
            foreach ((StoreId store, StoreState _) in _stores.Values)
            {
                EpochFormat.Write(_writer, store);
            }

            _host.Found(_writer.Written.ToArray());
        }

        bool isOver = true;
        for (int rank = 0; rank < _server.Shape.Count; rank++)
        {
            Coordinate at = _server.Shape.At(rank);
            if (at == self || _stores.GetValueOrDefault(at).State == StoreState.Founding)
            {
                continue;
            }

            isOver = false;
            if (_host.Founders is { } founders)
            {
                _channel.Send(new KeyValueHeader { Type = MessageType.Founding }, default, founders, at);
            }
            else
            {
                _channel.Send(new KeyValueHeader { Type = MessageType.AskStore }, default, default, at);
            }
        }

        if (!isOver)
        {
            _timer.Arm(_pause);
        }
    }
}
