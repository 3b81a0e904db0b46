using System.Collections.Concurrent;

namespace CamCube.Hosting.Tests.Kit;

/// <summary>A second link provider: cables between hosts of this process, made of queues. Each host has a provider of
/// its own; those that share a hub are cabled. Any thread.</summary>
internal sealed class MemoryLinks(ConcurrentDictionary<Coordinate, MemoryLinks.Driver> hub) : ILinkProvider
{
    public const int QueueLimit = 1_024;

    public string Name => "Memory";

    public IReadOnlyDictionary<string, string>? Settings { get; private set; }

    public LinkDriver Open(LinkProviderRequest request)
    {
        Settings = request.Settings;
        return hub[request.Coordinate!.Value] = new Driver(hub, request);
    }

    public sealed class Driver(ConcurrentDictionary<Coordinate, Driver> hub, LinkProviderRequest request) : LinkDriver
    {
        private readonly ConcurrentQueue<byte[]>[] _arrived =
        [
            .. Enumerable.Range(0, Links.Cables).Select(_ => new ConcurrentQueue<byte[]>()),
        ];
        private readonly AutoResetEvent _wake = new(false);
        private ILinkEvents? _sink;

        public override int MaxFrameLength => 1_514;

        public override long Transmit(Link link, Packet packet, long now)
        {
            byte[] frame = new byte[MaxFrameLength];
            int length = _sink!.Encode(packet, frame);
            if (hub.TryGetValue(request.Shape.Step(request.Coordinate!.Value, link), out Driver? neighbour))
            {
                neighbour.Arrive(link.Opposite(), frame.AsSpan(0, length).ToArray());
            }

            return now;
        }

        public override int Receive(ILinkEvents sink, int budget, long now)
        {
            _sink = sink;
            int frames = 0;
            for (int i = 0; i < Links.Cables; i++)
            {
                for (int n = 0; n < budget && _arrived[i].TryDequeue(out byte[]? frame); n++)
                {
                    frames++;
                    sink.FrameArrived((Link)i, frame, now);
                }
            }

            return frames;
        }

        public override void Wait(long nowNanos, long deadlineNanos) =>
            _wake.WaitOne((int)Math.Clamp((deadlineNanos - nowNanos) / 1_000_000, 0, 100));

        public override void Wake() => _wake.Set();

        public override void Close() => hub.TryRemove(new(request.Coordinate!.Value, this));

        private void Arrive(Link link, byte[] frame)
        {
            if (_arrived[(int)link].Count < QueueLimit)
            {
                _arrived[(int)link].Enqueue(frame);
                _wake.Set();
            }
        }
    }
}
