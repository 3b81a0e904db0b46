using static CamCube.Services.Messenger.Tests.MessengerCube;

namespace CamCube.Services.Messenger.Tests;

/// <summary>Virtual time: links of 1 Gbit/s, frames of 9,014 bytes.</summary>
public sealed class FigureTests
{
    private static readonly Coordinate A = new(0, 0, 0);

    [Theory]
    [InlineData(1, 0, 0, 4.75)]
    [InlineData(1, 1, 1, 2.85)]
    [InlineData(2, 2, 2, 2.85)]
    public void A_long_message_fills_all_link_disjoint_paths(int x, int y, int z, double asked)
    {
        const int Bytes = 100_000_000;
        var to = new Coordinate((ushort)x, (ushort)y, (ushort)z);
        using var cube = new MessengerCube(5, 5, 5);
        using IEndpoint from = cube.Open(A, "from"),
            receiver = cube.Open(to, "receiver");
        receiver.PostWindow(new Window(new byte[Bytes]));
        long began = cube.Cube.NowNanos;
        LongDelivery delivery = cube.Cube.Await(from.SendAsync(receiver.Id, 0, [new byte[Bytes]], 60 * Second));
        Assert.Equal(LongStatus.Delivered, delivery.Status);
        Assert.InRange(Bytes * 8.0 / (cube.Cube.NowNanos - began), asked, 6);
        Assert.True(receiver.TryReceive(out Message? message));
        message.Release();
        cube.AssertNothingLeft(2);
    }

    [Theory]
    [InlineData(100)]
    [InlineData(500)]
    [InlineData(1_000)]
    [InlineData(1_900)]
    public void An_answer_in_a_window_takes_longer_than_a_short_one_and_not_much(int size)
    {
        using var cube = new MessengerCube(3, 3, 3);
        using IEndpoint from = cube.Open(A, "from"),
            to = cube.Open(new Coordinate(1, 1, 1), "to");
        double[] micros = [0, 0];
        for (int i = 0; i < 4; i++)
        {
            // The first of each kind finds the place, or greets.
            micros[i % 2] = Micros(cube, from, to, size, isLong: i % 2 == 1);
        }

        TestContext.Current.TestOutputHelper?.WriteLine($"{size} bytes: short {micros[0]:F1}, long {micros[1]:F1} us");
        // Its first bytes leave with the stream's first packet, so a long answer costs little more than its frames.
        Assert.InRange(micros[1] / micros[0], 1.01, 2.5);
        cube.AssertNothingLeft(2);
    }

    private static double Micros(MessengerCube cube, IEndpoint from, IEndpoint to, int size, bool isLong)
    {
        TimeSpan step = TimeSpan.FromMicroseconds(0.1);
        Window[] lent = isLong ? [new Window(new byte[size])] : [];
        long began = cube.Cube.NowNanos;
        ValueTask<CallAnswer> call = from.CallAsync(to.Id, 0, [new byte[4]], lent, Second);
        Message? question;
        while (!to.TryReceive(out question))
        {
            cube.Cube.Advance(step);
        }

        ValueTask<LongDelivery> delivery = isLong ? to.AnswerAsync(question, 0, [new byte[size]], Second) : default;
        if (!isLong)
        {
            to.TryAnswer(question, 0, new byte[size]);
        }

        question.Release();
        while (!call.IsCompleted)
        {
            cube.Cube.Advance(step);
        }

        double micros = (cube.Cube.NowNanos - began) / 1e3;
        cube.Cube.Await(call).Dispose();
        if (isLong)
        {
            cube.Cube.Await(delivery);
        }

        return micros;
    }
}
