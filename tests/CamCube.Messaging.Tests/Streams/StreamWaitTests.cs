using CamCube.Testing;

namespace CamCube.Messaging.Tests.Streams;

/// <summary>Who awaits a stream.</summary>
public sealed class StreamWaitTests
{
    [Theory]
    [InlineData(0, 0)]
    [InlineData(0, 1)]
    public void A_wait_ends_without_bytes_only_when_none_come_any_more(int from, int to)
    {
        const int Length = 400_000;
        using TestCube cube = new TestCube(2, 1, 1).Add(s => new Streamer(s) { IsLazy = true });
        cube.AwaitConverged();
        Streamer writer = cube[from].Service<Streamer>(),
            reader = cube[to].Service<Streamer>();
        ReliableStream stream = writer.Send(cube.Shape.At(to), 1, 0, complete: false);
        int written = 0,
            read = 0,
            ends = 0;
        reader.Taken = incoming =>
            reader.Server.Loop.Run(async () =>
            {
                var random = new Random(1);
                while (read < Length)
                {
                    if (!await incoming.ReadableAsync())
                    {
                        ends++;
                        return;
                    }

                    // Not all of it, and with pauses: so bytes come between two looks, and their news after those.
                    int count = Math.Min(incoming.Peek().Length, random.Next(1, 3_000));
                    incoming.Consume(count);
                    read += count;
                    if (random.Next(3) == 0)
                    {
                        await reader.Server.DelayAsync(TimeSpan.FromMicroseconds(random.Next(1, 9)));
                    }
                }
            });
        writer.Server.Loop.Run(async () =>
        {
            var random = new Random(2);
            while (written < Length && await stream.WritableAsync())
            {
                written += stream.Write(new byte[Math.Min(Length - written, random.Next(1, 2_000))]);
                if (random.Next(2) == 0)
                {
                    await writer.Server.DelayAsync(TimeSpan.FromMicroseconds(random.Next(1, 9)));
                }
            }
        });
        cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal((Length, Length, 0), (written, read, ends));
    }
}
