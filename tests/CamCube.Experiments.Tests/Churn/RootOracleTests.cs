using CamCube.Experiments;
using CamCube.Experiments.Churn;
using CamCube.Topology;

namespace CamCube.Experiments.Tests.Churn;

public sealed class RootOracleTests
{
    [Theory]
    [InlineData(3, 3, 3, 0.2)]
    [InlineData(4, 3, 2, 0.5)]
    [InlineData(6, 1, 1, 0.3)]
    [InlineData(1, 5, 5, 0.6)]
    [InlineData(2, 2, 2, 0.5)]
    public void The_oracle_says_what_a_view_of_the_true_state_says(int x, int y, int z, double partDown)
    {
        var shape = new TorusShape(x, y, z);
        for (ulong seed = 1; seed <= 30; seed++)
        {
            var random = new DrawStream(seed, "states");
            var oracle = new RootOracle(shape);
            bool[] runs = Flags(shape, _ => random.NextDouble() >= partDown);
            bool[] hasKeys = Flags(shape, rank => runs[rank] && random.NextDouble() < 0.8);
            for (int rank = 0; rank < shape.Count; rank++)
            {
                oracle.SetRunning(rank, runs[rank]);
                oracle.SetHasKeys(rank, hasKeys[rank]);
            }

            CubeView view = ViewOf(shape, runs, hasKeys);
            for (int i = 0; i < 200; i++)
            {
                int from = random.Next(shape.Count);
                ulong route = shape.At(random.Next(shape.Count)) is var home
                    ? ((Destination)home).Route | (uint)random.Next(65_536)
                    : 0;
                if (runs[from])
                {
                    Assert.Equal(shape.RankOf(view.RootOf(route, shape.At(from))), oracle.RootOf(route, from));
                    Assert.Equal(2 * view.ReachableCount(shape.At(from)) > shape.Count, oracle.IsInMajority(from));
                }
            }
        }
    }

    private static bool[] Flags(TorusShape shape, Func<int, bool> flag) =>
        [.. Enumerable.Range(0, shape.Count).Select(flag)];

    // A cable works if both its ends say so: what stands still says nothing of the kind.
    private static CubeView ViewOf(TorusShape shape, bool[] runs, bool[] hasKeys) =>
        CubeView
            .Whole(shape)
            .With([
                .. Enumerable
                    .Range(0, shape.Count)
                    .Select(rank => new CubeEntry(
                        shape.At(rank),
                        1,
                        1,
                        (byte)(
                            (runs[rank] ? shape.CabledLinks(shape.At(rank)).Bits : 0)
                            | (hasKeys[rank] ? CubeEntry.KeysBit : 0)
                        )
                    )),
            ]);
}
