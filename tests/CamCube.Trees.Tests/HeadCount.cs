using System.Runtime.InteropServices;

namespace CamCube.Trees.Tests;

/// <summary>Which servers there are: a bit for each, how many, and a product that shows the order.</summary>
[CamCubeService(0x077A, "head-count", Header = typeof(Messaging.PlainHeader))]
public sealed class HeadCount(IServer server, int most = int.MaxValue)
    : AggregationService<HeadCount.Question, HeadCount.Heads>(server)
{
    /// <summary>Own values that were asked for here.</summary>
    public int Asked { get; private set; }

    public ValueTask<Aggregate<Heads>> Ask(long number, TimeSpan? timeout = null, CancellationToken cancel = default) =>
        AggregateAsync(new Question(number), timeout ?? TimeSpan.FromSeconds(20), cancel);

    protected override Heads Own(in Question question)
    {
        int rank = Server.Shape.RankOf(Server.Coordinate);
        Asked++;
        return Asked > most
            ? throw new InvalidOperationException("It was asked too often.")
            : new Heads(1UL << rank, 0, question.Number, rank + 0.1);
    }

    protected override Heads Combine(in Question question, in Heads left, in Heads right) =>
        new(
            left.Bits | right.Bits,
            left.Twice | right.Twice | (left.Bits & right.Bits),
            left.Number + right.Number,
            (left.Mixed * 1.0001) + right.Mixed
        );

    [StructLayout(LayoutKind.Sequential)]
    public readonly record struct Question(long Number);

    /// <summary>Of some servers.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly record struct Heads(ulong Bits, ulong Twice, long Number, double Mixed);
}
