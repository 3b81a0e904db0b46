using System.Diagnostics;
using System.Runtime.InteropServices;
using CamCube.Messaging;

namespace CamCube.Benchmarks.Streams;

/// <summary>The streams of the benchmark: fills one, counts what comes in others, sends back what comes in those with
/// the label of echoes.</summary>
[CamCubeService(0x7150, "stream-traffic", Header = typeof(Header))]
internal sealed class StreamTraffic : CamCubeService, IStreamHandler
{
    private const ulong Bulk = 1,
        Echo = 2;

    private static readonly byte[] Bytes = new byte[64 << 10];
    private readonly StreamEndpoint<Header> _streams;
    private ReliableStream? _bulk;
    private ReliableStream? _asking;

    public StreamTraffic(IServer server)
    {
        MaxPayload = server.Packets.MaxPayload;
        _streams = new StreamEndpoint<Header>(server, new StreamOptions(), this);
    }

    /// <summary>Bytes of a packet for header and body.</summary>
    public int MaxPayload { get; }

    /// <summary>Bytes that came in streams other than echoes.</summary>
    public long Received { get; private set; }

    /// <summary>Packets that were lost.</summary>
    public long Lost => _streams.Lost;

    public override void OnStart() => _streams.Start();

    public override void OnStop(StopReason reason) => _streams.Stop();

    public override Verdict OnPacket(in HopContext hop, Packet packet) => _streams.OnPacket(hop, packet);

    public override void OnTopologyChanged(in TopologyChange change) => _streams.OnTopologyChanged(change);

    /// <summary>Fills a stream until <see cref="Stop"/>.</summary>
    public void Start(Coordinate to) => OnWritable(_bulk = Open(to, Bulk));

    public void Stop()
    {
        _bulk?.Abort();
        _bulk = null;
    }

    /// <summary>Round trips one after the other, in nanoseconds, in order of their length.</summary>
    public async ValueTask<long[]> PingAsync(Coordinate to, int count, int size)
    {
        ReliableStream stream = _asking = Open(to, Echo);
        var times = new List<long>(count);
        while (times.Count < count)
        {
            long begin = Stopwatch.GetTimestamp();
            stream.Write(Bytes.AsSpan(0, size));
            for (int back = 0; back < size; )
            {
                if (!await stream.ReadableAsync())
                {
                    throw new InvalidOperationException($"the stream has ended: {stream.End}");
                }

                int here = stream.Peek().Length;
                stream.Consume(here);
                back += here;
            }

            times.Add((Stopwatch.GetTimestamp() - begin) * (1_000_000_000 / Stopwatch.Frequency));
        }

        _asking = null;
        stream.Complete();
        stream.Dispose();
        return [.. times.Order()];
    }

    public bool OnIncoming(ReliableStream stream) => true;

    public void OnReadable(ReliableStream stream)
    {
        if (stream == _asking)
        {
            return;
        }

        while (stream.Peek() is { IsEmpty: false } bytes)
        {
            if (stream.Label == Echo)
            {
                stream.Write(bytes);
            }
            else
            {
                Received += bytes.Length;
            }

            stream.Consume(bytes.Length);
        }

        if (stream.IsAtEnd)
        {
            stream.Complete();
        }
    }

    public void OnWritable(ReliableStream stream)
    {
        while (stream.Label == Bulk && stream.Write(Bytes) > 0) { }
    }

    public void OnEnded(ReliableStream stream)
    {
        if (stream == _bulk)
        {
            // A figure of it would be of nothing.
            Console.Error.WriteLine($"The stream to {stream.Peer} has ended in the middle: {stream.End.Reason}.");
            _bulk = null;
        }

        stream.Dispose();
    }

    private ReliableStream Open(Coordinate to, ulong label)
    {
        StreamOpen opened = _streams.TryOpen(to, new StreamParameters { Label = label }, out ReliableStream? stream);
        return stream ?? throw new InvalidOperationException($"no stream to {to}: {opened}");
    }

    [StructLayout(LayoutKind.Sequential, Pack = 4)]
    public struct Header : IMessageHeader<Header>
    {
        private MessageHeader _message;

        public static ref MessageHeader MessageOf(ref Header header) => ref header._message;
    }
}
