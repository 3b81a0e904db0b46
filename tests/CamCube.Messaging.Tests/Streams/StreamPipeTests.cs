using System.Buffers;
using System.IO.Pipelines;
using System.Text;
using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Messaging.Tests.Streams;

/// <summary>Streams as pipes: what takes pipes works over the cube.</summary>
public sealed class StreamPipeTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0);

    private static TestCube CubeOf(StreamOptions? options = null) =>
        new TestCube(3, 3, 1, new SimulatorOptions { MaxFrameLength = 9_014 }).Add(s => new LineService(s, options));

    [Theory]
    [InlineData(0, 1)]
    [InlineData(0.1, 2)]
    public void Lines_of_a_crowd_come_back_in_upper_case_with_losses_and_an_abort_among_them(double loss, int seed)
    {
        using TestCube cube = CubeOf();
        var random = new Random(seed);
        cube.Lose = (_, _, packet) => packet.Service.Value == 0x077A && random.NextDouble() < loss;
        LineService from = cube[A].Service<LineService>();
        for (int i = 0; i < 20; i++)
        {
            from.Ask(B, i, lines: 200);
        }

        from.AbortOne(B);
        cube.AwaitUntil(() => from.Done == 20);
        Assert.Equal(20 * 200, from.Right);
        cube.Lose = null;
        cube.Advance(TimeSpan.FromSeconds(2));
        for (int rank = 0; rank < 9; rank++)
        {
            StreamEndpoint<Letter> endpoint = cube[rank].Service<LineService>().Endpoint;
            Assert.Equal((0, 0L, 0L), (endpoint.Streams, endpoint.SendBytes, endpoint.ReceiveBytes));
        }

        cube.AssertQuiet();
    }

    [Fact]
    public async Task A_flush_ends_when_it_is_cancelled_or_the_reader_has_gone()
    {
        using TestCube cube = CubeOf(new StreamOptions { SendLimit = 64 << 10 });
        LineService from = cube[A].Service<LineService>();
        from.Endpoint.TryOpen(B, new StreamParameters { Label = LineService.Lazy }, out ReliableStream? stream);
        PipeWriter output = stream!.AsPipe().Output;
        output.Write(new byte[5_000_000]);
        ValueTask<FlushResult> flush = output.FlushAsync();
        cube.Advance(TimeSpan.FromMilliseconds(100));
        Assert.False(flush.IsCompleted);
        output.CancelPendingFlush();
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.True(flush.IsCompleted);
        Assert.True((await flush).IsCanceled);
        flush = output.FlushAsync();
        cube[B].Service<LineService>().StopLazy();
        cube.Advance(TimeSpan.FromMilliseconds(100));
        Assert.True(flush.IsCompleted);
        Assert.True((await flush).IsCompleted);
        await output.CompleteAsync();
    }

    /// <summary>Answers each line in upper case.</summary>
    [CamCubeService(0x077A, "lines", Header = typeof(Letter))]
    private sealed class LineService : CamCubeService, IStreamHandler
    {
        public const ulong Lazy = 99;
        private readonly IServer _server;
        private ReliableStream? _lazy;

        public LineService(IServer server, StreamOptions? options)
        {
            _server = server;
            Endpoint = new StreamEndpoint<Letter>(server, options ?? new StreamOptions(), this);
        }

        public StreamEndpoint<Letter> Endpoint { get; }

        public int Done { get; private set; }

        public int Right { get; private set; }

        public void Ask(Coordinate to, int number, int lines)
        {
            Assert.Equal(StreamOpen.Ok, Endpoint.TryOpen(to, default, out ReliableStream? stream));
            IDuplexPipe pipe = stream!.AsPipe();
            _server.Loop.Run(() => WriteAsync(pipe.Output, number, lines));
            _server.Loop.Run(() => ReadAsync(pipe.Input, number));
        }

        public void AbortOne(Coordinate to)
        {
            Endpoint.TryOpen(to, default, out ReliableStream? stream);
            IDuplexPipe pipe = stream!.AsPipe();
            pipe.Output.Write("half a li"u8);
            pipe.Output.Complete(new InvalidOperationException("no more"));
            pipe.Input.Complete();
        }

        public void StopLazy() => _lazy!.Dispose();

        public override void OnStart() => Endpoint.Start();

        public override void OnStop(StopReason reason) => Endpoint.Stop();

        public override Verdict OnPacket(in HopContext hop, Packet packet) => Endpoint.OnPacket(hop, packet);

        public override void OnTopologyChanged(in TopologyChange change) => Endpoint.OnTopologyChanged(change);

        public bool OnIncoming(ReliableStream stream)
        {
            if (stream.Label == Lazy)
            {
                _lazy = stream;
            }
            else
            {
                IDuplexPipe pipe = stream.AsPipe();
                _server.Loop.Run(() => ServeAsync(pipe));
            }

            return true;
        }

        private static string LineOf(int number, int line) =>
            $"line {line} of {number} {new string((char)('a' + (line % 26)), line * 7 % 900)}";

        private static async ValueTask WriteAsync(PipeWriter output, int number, int lines)
        {
            for (int i = 0; i < lines; i++)
            {
                output.Write(Encoding.ASCII.GetBytes(LineOf(number, i) + "\n"));
                if (i % 7 == 0)
                {
                    await output.FlushAsync();
                }
            }

            await output.CompleteAsync();
        }

        private async ValueTask ReadAsync(PipeReader input, int number)
        {
            for (int line = 0; await NextLineAsync(input) is { } text; line++)
            {
                Right += text == LineOf(number, line).ToUpperInvariant() ? 1 : 0;
            }

            await input.CompleteAsync();
            Done++;
        }

        private static async ValueTask ServeAsync(IDuplexPipe pipe)
        {
            while (await NextLineAsync(pipe.Input) is { } text)
            {
                pipe.Output.Write(Encoding.ASCII.GetBytes(text.ToUpperInvariant() + "\n"));
                await pipe.Output.FlushAsync();
            }

            await pipe.Output.CompleteAsync();
            await pipe.Input.CompleteAsync();
        }

        private static async ValueTask<string?> NextLineAsync(PipeReader input)
        {
            while (true)
            {
                ReadResult result = await input.ReadAsync();
                if (result.Buffer.PositionOf((byte)'\n') is { } end)
                {
                    string line = Encoding.ASCII.GetString(result.Buffer.Slice(0, end));
                    input.AdvanceTo(result.Buffer.GetPosition(1, end));
                    return line;
                }

                input.AdvanceTo(result.Buffer.Start, result.Buffer.End);
                if (result.IsCompleted)
                {
                    return null;
                }
            }
        }
    }
}
