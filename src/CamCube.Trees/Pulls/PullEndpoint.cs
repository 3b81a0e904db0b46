using System.Buffers.Binary;
using CamCube.Messaging;

namespace CamCube.Trees;

/// <summary>
/// Pulls between the instances of one service: a vertex is asked for its answer, which flows back along the tree's own
/// cable (NSDI §4; docs/trees.md). The service creates it in its constructor, and calls <see cref="Start"/>,
/// <see cref="OnPacket"/>, <see cref="OnTopologyChanged"/> and <see cref="Stop"/> from its own callbacks. One of the
/// service's sources. Loop only; no call throws for what arrives.
/// </summary>
/// <typeparam name="THeader">The service's header.</typeparam>
/// <typeparam name="TRequest">What the service says in a pull.</typeparam>
public sealed class PullEndpoint<THeader, TRequest> : IStreamHandler, IPulls<TRequest>
    where THeader : unmanaged, IMessageHeader<THeader>
    where TRequest : IPullRequest<TRequest>
{
    // Format, vertex, and the length of what the service says.
    private const byte Format = 1;
    private const int AtVertex = 1;
    private const int AtLength = AtVertex + VertexId.Length;
    private const int HeadLength = AtLength + sizeof(ushort);
    private readonly IServer _server;
    private readonly StreamEndpoint<THeader> _streams;
    private readonly IPullHandler<TRequest> _handler;
    private readonly Dictionary<ReliableStream, PullInput<TRequest>> _inputs = [];
    private readonly Dictionary<ReliableStream, PullOutput> _outputs = [];
    private readonly PullCounters _counters;
    private int _starving;
    private long _starvesSinceNanos;
    private readonly byte[] _request = new byte[HeadLength + PullOptions.MostRequestBytes];

    /// <summary>An endpoint of one service on one server.</summary>
    /// <param name="server">The service's server.</param>
    /// <param name="options">Limits; not changed afterwards.</param>
    /// <param name="handler">Who is asked for vertices.</param>
    public PullEndpoint(IServer server, PullOptions options, IPullHandler<TRequest> handler)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(TRequest.MostBytes, PullOptions.MostRequestBytes);
        (_server, Options, _handler) = (server, options, handler);
        _streams = new StreamEndpoint<THeader>(server, options.Streams, this);
        _counters = new PullCounters(server.Counters);
    }

    /// <summary>Limits.</summary>
    public PullOptions Options { get; }

    /// <summary>Pulls that have a stream, as who pulls.</summary>
    public int Inputs => _inputs.Count;

    /// <summary>Pulls that are being answered, or read.</summary>
    public int Outputs => _outputs.Count;

    /// <summary>Bytes set apart for what was written and has not arrived.</summary>
    public long SendBytes => _streams.SendBytes;

    /// <summary>Bytes set apart for what peers may send and what was not read.</summary>
    public long ReceiveBytes => _streams.ReceiveBytes;

    /// <summary>Since when there has been a pull that is not open for want of memory here or where it goes; null: there
    /// is none. Some wait for memory that others have, which wait for what these would bring, if it goes on for
    /// long.</summary>
    public long? StarvesSinceNanos => _starving > 0 ? _starvesSinceNanos : null;

    IServer IPulls<TRequest>.Server => _server;

    PullCounters IPulls<TRequest>.Counters => _counters;

    /// <summary>To be called in <see cref="ICamCubeService.OnStart"/>, once.</summary>
    public void Start() => _streams.Start();

    /// <summary>To be called from the service's <see cref="ICamCubeService.OnStop"/>: ends all pulls.</summary>
    public void Stop()
    {
        _streams.Stop();

        // Whoever pulled may go later, and its pull was one of those that were open.
        _inputs.Clear();
        _outputs.Clear();
        _counters.Clear();
    }

    /// <summary>To be called from the service's <see cref="ICamCubeService.OnPacket"/> with packets of streams
    /// (<see cref="StreamEndpoint{THeader}.IsOfStreams"/>); it returns the verdict.</summary>
    public Verdict OnPacket(in HopContext hop, Packet packet) => _streams.OnPacket(hop, packet);

    /// <summary>To be called from the service's <see cref="ICamCubeService.OnTopologyChanged"/>.</summary>
    public void OnTopologyChanged(in TopologyChange change) => _streams.OnTopologyChanged(change);

    /// <summary>Pulls a vertex, at whoever plays it, until it is whole or disposed of.</summary>
    /// <param name="vertex">The vertex.</param>
    /// <param name="terms">How the pull shares links and memory.</param>
    /// <param name="sink">Who is told of what comes; asked for the request before this returns.</param>
    public PullInput<TRequest> Pull(in VertexId vertex, in PullTerms terms, IPullSink<TRequest> sink)
    {
        var input = new PullInput<TRequest>(this, vertex, terms, sink);
        input.Open();
        return input;
    }

    ReliableStream? IPulls<TRequest>.Open(PullInput<TRequest> input, TRequest request, out Link? via)
    {
        VertexId vertex = input.Vertex;
        Coordinate at = _server.Topology.RootOf(vertex.ToKey());
        at = input.Terms.StandsIn && at != vertex.At ? _server.Coordinate : at;
        via = CableTo(at, vertex.At, input.Terms.Edge);
        var parameters = new StreamParameters
        {
            Label = vertex.Job,
            Paths = via is { } link ? StreamPaths.Via(link) : StreamPaths.All,
            Channel = input.Terms.Channel,
            Weight = Math.Max(1, input.Terms.Weight),
            LeastCredit = input.Terms.LeastCredit,
        };
        if (_streams.TryOpen(at, parameters, out ReliableStream? stream) != StreamOpen.Ok || stream is null)
        {
            return null;
        }

        int length = request.Write(_request.AsSpan(HeadLength));
        _request[0] = Format;
        vertex.Write(_request.AsSpan(AtVertex));
        BinaryPrimitives.WriteUInt16LittleEndian(_request.AsSpan(AtLength), (ushort)length);
        if (stream.Write(_request.AsSpan(0, HeadLength + length)) < HeadLength + length)
        {
            // No memory to send it: as if it could not be opened.
            stream.Abort();
            stream.Dispose();
            return null;
        }

        stream.Complete();
        _inputs.Add(stream, input);
        _counters.EdgesIn.Set(_inputs.Count);
        _counters.LeastCredit.Add(input.Terms.LeastCredit);
        return stream;
    }

    void IPulls<TRequest>.Starve(int change)
    {
        _starvesSinceNanos = _starving == 0 ? _server.NowNanos : _starvesSinceNanos;
        _starving += change;
    }

    void IPulls<TRequest>.Forget(ReliableStream stream)
    {
        if (_inputs.Remove(stream, out PullInput<TRequest>? input))
        {
            _counters.EdgesIn.Set(_inputs.Count);
            _counters.LeastCredit.Add(-input.Terms.LeastCredit);
        }
    }

    bool IStreamHandler.OnIncoming(ReliableStream stream)
    {
        _outputs.Add(stream, new PullOutput(stream));
        _counters.EdgesOut.Set(_outputs.Count);
        return true;
    }

    void IStreamHandler.OnReadable(ReliableStream stream)
    {
        if (_inputs.TryGetValue(stream, out PullInput<TRequest>? input))
        {
            input.OnReadable();
        }
        else if (_outputs.TryGetValue(stream, out PullOutput? output) && !output.HasSource && output.IsOpen)
        {
            Read(stream, output);
        }
    }

    void IStreamHandler.OnWritable(ReliableStream stream)
    {
        if (_outputs.TryGetValue(stream, out PullOutput? output))
        {
            output.OnWritable();
        }
    }

    void IStreamHandler.OnEnded(ReliableStream stream)
    {
        if (_inputs.TryGetValue(stream, out PullInput<TRequest>? input))
        {
            input.OnEnded(stream.End);
        }
        else if (_outputs.Remove(stream, out PullOutput? output))
        {
            _counters.EdgesOut.Set(_outputs.Count);
            output.Leave();
            stream.Dispose();
        }
    }

    // The tree's own cable, if the vertex is played at its end.
    private Link? CableTo(Coordinate player, Coordinate home, Link? edge) =>
        edge is { } link && player == home && _server.Topology.Neighbour(link) == home ? link : null;

    private void Read(ReliableStream stream, PullOutput output)
    {
        int length = stream.Peek(0, _request);
        int whole =
            length < HeadLength
                ? HeadLength
                : HeadLength + BinaryPrimitives.ReadUInt16LittleEndian(_request.AsSpan(AtLength));
        bool isWrong = (length > 0 && _request[0] != Format) || whole > HeadLength + TRequest.MostBytes;
        if (!isWrong && length < whole)
        {
            if (stream.IsWhole)
            {
                output.Abort(PullRefusal.Malformed);
            }

            return;
        }

        VertexId vertex = isWrong ? default : VertexId.Read(_request.AsSpan(AtVertex));
        TRequest? request = default;
        isWrong =
            isWrong
            || length != whole
            || !_server.Shape.Contains(vertex.At)
            || !TRequest.TryRead(_request.AsSpan(HeadLength, whole - HeadLength), out request);
        if (isWrong)
        {
            output.Abort(PullRefusal.Malformed);
            return;
        }

        stream.Consume(length);
        PullRefusal why = _handler.OnPull(output, vertex, request!, out IPullSource? source);
        if (why == PullRefusal.None && source is not null)
        {
            output.Begin(source);
        }
        else
        {
            output.Abort(why);
        }
    }
}
