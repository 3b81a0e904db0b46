using CamCube.Capture;
using CamCube.Runtime.Hosts;
using CamCube.Runtime.Services;
using CamCube.Simulator.Tests.Seeing;

namespace CamCube.Runtime.Tests;

/// <summary>A capture of links that carry bytes, at a server with a thread of its own.</summary>
public sealed class CapturingLinksTests
{
    private static readonly TorusShape Shape = new(2, 1, 1);

    [Fact]
    public async Task What_one_server_sends_is_what_the_other_receives_byte_for_byte_and_both_files_have_it()
    {
        var wire = new MemoryWire(Shape);
        var met = new Meetings();
        MemoryStream first = new(),
            second = new();
        using (
            CaptureFile a = File(first),
                b = File(second)
        )
        {
            await using CableCube one = Cube(wire, 0, a, met),
                two = Cube(wire, 1, b, met);
            await one.StartAsync(CancellationToken.None);
            await two.StartAsync(CancellationToken.None);
            await met.Whole.WaitAsync(TimeSpan.FromSeconds(60));
        }

        List<PcapngReader.Frame> left = new PcapngReader(first.ToArray()).Frames,
            right = new PcapngReader(second.ToArray()).Frames;
        foreach (
            (List<PcapngReader.Frame> from, List<PcapngReader.Frame> to, string rank, string other) in new[]
            {
                (left, right, "0,0,0", "1,0,0"),
                (right, left, "1,0,0", "0,0,0"),
            }
        )
        {
            // The last ones may still be on their way when the servers stop, and the first may have come before the
            // other was there.
            string[] sent =
            [
                .. from.Where(f => f.Interface == $"{rank} +x" && !f.IsInbound)
                    .Select(f => Convert.ToHexString(f.Bytes)),
            ];
            string[] received =
            [
                .. to.Where(f => f.Interface == $"{other} -x" && f.IsInbound).Select(f => Convert.ToHexString(f.Bytes)),
            ];
            Assert.NotEmpty(received);
            Assert.True(
                sent.AsSpan().IndexOf(received) >= 0,
                $"{string.Join('\n', sent)}\n\n{string.Join('\n', received)}"
            );
        }

        Assert.All(left, frame => Assert.True(frame.Nanos >= Epoch && frame.OriginalLength == frame.Bytes.Length));
    }

    [Fact]
    public async Task A_capture_whose_disk_is_full_ends_and_the_server_goes_on()
    {
        var wire = new MemoryWire(Shape);
        var met = new Meetings();
        var ended = new TaskCompletionSource<Exception>(TaskCreationOptions.RunContinuationsAsynchronously);

        // Full from the first frame on: all that the servers say to each other afterwards they say without the capture.
        CaptureFile a = File(new FullDisk(400)),
            b = File(new MemoryStream());
        await using CableCube one = Cube(wire, 0, a, met, ended.SetResult),
            two = Cube(wire, 1, b, met, ended.SetResult);
        await one.StartAsync(CancellationToken.None);
        await two.StartAsync(CancellationToken.None);
        Assert.IsType<IOException>(await ended.Task.WaitAsync(TimeSpan.FromSeconds(60)));
        await met.Whole.WaitAsync(TimeSpan.FromSeconds(60));
        Assert.False(one.Ended.IsCompleted);
        await one.StopAsync(CancellationToken.None);
        await one.Ended.WaitAsync(TimeSpan.FromSeconds(60));
    }

    private const long Epoch = 1_893_456_000_000_000_000;

    private static CaptureFile File(Stream stream) => new(stream, Shape, new CaptureOptions { EpochUnixNanos = Epoch });

    private static CableCube Cube(
        MemoryWire wire,
        int rank,
        CaptureFile file,
        Meetings met,
        Action<Exception>? ended = null
    ) =>
        new(
            new Provider(wire, file, ended),
            MemoryWire.Request(Shape, Shape.At(rank)),
            [],
            new ServerOptions(),
            met,
            1
        );

    private sealed class Provider(ILinkProvider inner, CaptureFile file, Action<Exception>? ended) : ILinkProvider
    {
        public string Name => inner.Name;

        public LinkDriver Open(LinkProviderRequest request) =>
            new CapturingLinks(
                inner.Open(request),
                [
                    file.LinkOf(request.Coordinate!.Value, Link.XPlus, 0),
                    file.LinkOf(request.Coordinate!.Value, Link.XMinus, 0),
                ],
                writesTo: file,
                ended
            );
    }

    /// <summary>A disk that takes so many bytes and no more.</summary>
    private sealed class FullDisk(int room) : MemoryStream
    {
        public override void Write(byte[] buffer, int offset, int count)
        {
            if (Length + count > room)
            {
                throw new IOException("No space left on device");
            }

            base.Write(buffer, offset, count);
        }
    }

    /// <summary>Both servers have all links up and each other.</summary>
    private sealed class Meetings : IServerEvents
    {
        private readonly TaskCompletionSource _whole = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly Dictionary<(Coordinate, Link), bool> _up = [];

        public Task Whole => _whole.Task;

        public void ServiceFaulted(Coordinate server, string service, Exception exception, bool willRestart) =>
            _whole.TrySetException(exception);

        public void ServiceRestarted(Coordinate server, string service) { }

        public void TopologyChanged(Coordinate server, TopologyChange change)
        {
            lock (_up)
            {
                if (change.Event is TopologyEvent.LinkUp or TopologyEvent.LinkDown)
                {
                    _up[(server, change.Link)] = change.Event == TopologyEvent.LinkUp;
                }

                if (_up.Count == 4 && _up.Values.All(up => up))
                {
                    _whole.TrySetResult();
                }
            }
        }
    }
}
