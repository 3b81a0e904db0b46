using CamCube.Messaging;

namespace CamCube.Experiments.Streams;

/// <summary>Writes streams as fast as they take it, and reads and checks those that it gets.</summary>
[CamCubeService(0x7108, "bulk-streams", Header = typeof(BulkHeader))]
internal sealed class BulkService : CamCubeService, IStreamHandler
{
    private readonly IServer _server;
    private readonly StreamEndpoint<BulkHeader> _endpoint;
    private readonly Dictionary<ReliableStream, BulkWriting> _writings = [];
    private readonly Dictionary<ulong, BulkReading> _readings = [];
    private Link? _watched;

    /// <summary>A service of one server.</summary>
    public BulkService(IServer server, StreamOptions options)
    {
        _server = server;
        _endpoint = new StreamEndpoint<BulkHeader>(server, options, this);
    }

    /// <summary>Most packets that waited for the watched link when another came.</summary>
    public int MostWaiting { get; private set; }

    /// <summary>The same in bytes of frames.</summary>
    public long MostWaitingBytes { get; private set; }

    /// <summary>Labels of streams that are read.</summary>
    public IReadOnlyCollection<ulong> Read => _readings.Keys;

    /// <summary>Opens a stream and writes it.</summary>
    /// <param name="to">The reader.</param>
    /// <param name="parameters">With a label that no other stream to this reader has.</param>
    /// <param name="length">Bytes; without them it never ends, with 0 it stays open without a byte.</param>
    /// <exception cref="InvalidOperationException">It cannot be opened.</exception>
    public BulkWriting Write(Destination to, StreamParameters parameters, long length = long.MaxValue)
    {
        StreamOpen opened = _endpoint.TryOpen(to, parameters, out ReliableStream? stream);
        if (stream is null)
        {
            throw new InvalidOperationException($"No stream from {_server.Coordinate}: {opened}.");
        }

        var writing = new BulkWriting(stream, parameters.Label, length);
        _writings.Add(stream, writing);
        writing.Write();
        return writing;
    }

    /// <summary>What was read of a stream; null: nothing is known of it.</summary>
    public BulkReading? ReadingOf(ulong label) => _readings.GetValueOrDefault(label);

    /// <summary>Counts what waits for a link, from now on.</summary>
    public void Watch(Link link) => (_watched, MostWaiting, MostWaitingBytes) = (link, 0, 0);

    /// <inheritdoc/>
    public override void OnStart() => _endpoint.Start();

    /// <inheritdoc/>
    public override void OnStop(StopReason reason) => _endpoint.Stop();

    /// <inheritdoc/>
    public override void OnTopologyChanged(in TopologyChange change) => _endpoint.OnTopologyChanged(change);

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        if (_watched is { } link && !hop.IsDestination)
        {
            Backlog backlog = _server.BacklogOf(link);
            MostWaiting = Math.Max(MostWaiting, backlog.OwnPackets);
            MostWaitingBytes = Math.Max(MostWaitingBytes, backlog.OwnBytes);
        }

        return _endpoint.OnPacket(hop, packet);
    }

    /// <inheritdoc/>
    public bool OnIncoming(ReliableStream stream)
    {
        _readings.Add(stream.Label, new BulkReading(stream.Label, _server.NowNanos));
        stream.Complete();
        return true;
    }

    /// <inheritdoc/>
    public void OnReadable(ReliableStream stream)
    {
        if (_writings.ContainsKey(stream))
        {
            return;
        }

        BulkReading reading = _readings[stream.Label];
        while (stream.Peek() is { IsEmpty: false } bytes)
        {
            reading.Take(bytes, _server.NowNanos);
            stream.Consume(bytes.Length);
        }
    }

    /// <inheritdoc/>
    public void OnWritable(ReliableStream stream)
    {
        if (_writings.TryGetValue(stream, out BulkWriting? writing))
        {
            writing.Write();
        }
    }

    /// <inheritdoc/>
    public void OnEnded(ReliableStream stream)
    {
        if (_writings.Remove(stream, out BulkWriting? writing))
        {
            writing.Finish(_server.NowNanos);
        }
        else
        {
            OnReadable(stream);
            _readings[stream.Label].Finish(stream.End, _server.NowNanos);
            stream.Dispose();
        }
    }
}
