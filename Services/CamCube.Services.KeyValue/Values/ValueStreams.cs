using System.Diagnostics.CodeAnalysis;
using CamCube.Messaging;
using CamCube.Services.KeyValue.Counting;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Values;

/// <summary>The streams on which pieces of values go from server to server: those that others open are served here,
/// those that stand still are given up. Loop only.</summary>
internal sealed class ValueStreams : IStreamHandler
{
    private const int Slots = 8;

    // Values that are fetched at once: as many as fill six links.
    private const int FetchSlots = 16;

    // What others may have under way to this server, and it to them.
    private const int MostBytes = 4 << 20;
    private const int MostOfStream = 512 << 10;
    private const int FirstOfStream = 32 << 10;
    private readonly IServer _server;
    private readonly MemberPieces _pieces;
    private readonly RecoveryPace _pace;
    private readonly KeyValueCounters _counters;
    private readonly ServerTimer _timer;
    private readonly List<WatchedStream> _watched = [];
    private readonly TimeSpan _look;

    public ValueStreams(
        IServer server,
        KeyValueOptions options,
        MemberPieces pieces,
        RecoveryPace pace,
        KeyValueCounters counters
    )
    {
        (_server, _pieces, _look) = (server, pieces, options.Silence);
        (_pace, _counters) = (pace, counters);
        var limits = new StreamOptions
        {
            ReceiveMemory = MostBytes,
            SendMemory = MostBytes,
            SendLimit = MostOfStream,
            FirstCredit = FirstOfStream,
            MostCredit = MostOfStream,
            SilenceTime = options.Timeout,
            OpenTime = options.Timeout,
        };
        Endpoint = new StreamEndpoint<KeyValueHeader>(server, limits, this);
        _timer = server.CreateTimer(Look);
    }

    /// <summary>Looks after writers, every so often.</summary>
    public Action LookOn { get; set; } = static () => { };

    /// <summary>The endpoint.</summary>
    public StreamEndpoint<KeyValueHeader> Endpoint { get; }

    /// <summary>Buffers for pieces that come to this server's disk.</summary>
    public ValueSlots Incoming { get; } = new(Slots);

    /// <summary>Buffers for pieces that this server fetches.</summary>
    public ValueSlots Fetched { get; } = new(FetchSlots);

    /// <summary>Buffers for pieces that are read from it.</summary>
    public ValueSlots Outgoing { get; } = new(Slots);

    public void Start()
    {
        Endpoint.Start();
        _timer.Arm(_look);
    }

    public void Stop()
    {
        _timer.Cancel();
        Endpoint.Stop();
        Incoming.Stop();
        Fetched.Stop();
        Outgoing.Stop();
    }

    /// <summary>Opens a stream.</summary>
    /// <param name="to">To whom.</param>
    /// <param name="label">What for.</param>
    /// <param name="patience">How long the other side may stand still while somebody waits for it.</param>
    /// <param name="watched">The stream, the caller's (<see cref="Close"/>).</param>
    public bool TryOpen(Coordinate to, ulong label, TimeSpan patience, [NotNullWhen(true)] out WatchedStream? watched)
    {
        watched = null;
        var parameters = new StreamParameters { Label = label };
        if (Endpoint.TryOpen(to, parameters, out ReliableStream? stream) != StreamOpen.Ok || stream is null)
        {
            return false;
        }

        watched = Watch(stream, patience);
        return true;
    }

    /// <summary>Somebody is through with a stream.</summary>
    public void Close(WatchedStream watched)
    {
        _watched.Remove(watched);
        watched.Stream.Dispose();
    }

    bool IStreamHandler.OnIncoming(ReliableStream stream)
    {
        if (stream.Label is not (ValueWire.Writing or ValueWire.Reading or ValueWire.Fetching) || !_pieces.IsOpen)
        {
            return false;
        }

        bool isRecovery = stream.Label == ValueWire.Fetching;
        if (!isRecovery)
        {
            _pace.Served();
        }

        if (stream.Label == ValueWire.Writing)
        {
            var receiver = new PieceReceiver(_server, _pieces, this, stream);
            _server.Loop.Run(receiver.RunAsync);
        }
        else
        {
            var sender = new PieceSender(_pieces, this, stream, isRecovery ? _counters.GivenBytes : null);
            _server.Loop.Run(sender.RunAsync);
        }

        return true;
    }

    /// <summary>Looks after a stream from now on.</summary>
    public WatchedStream Watch(ReliableStream stream, TimeSpan patience)
    {
        var watched = new WatchedStream(_server, stream) { PatienceNanos = (long)patience.TotalNanoseconds };
        _watched.Add(watched);
        return watched;
    }

    private void Look()
    {
        // What is given up goes from the list in its user's turn.
        foreach (WatchedStream watched in _watched.ToArray())
        {
            watched.Look();
        }

        LookOn();
        _pieces.Sweep();
        _timer.Arm(_look);
    }
}
