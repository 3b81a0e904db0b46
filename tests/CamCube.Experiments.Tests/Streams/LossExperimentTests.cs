using CamCube.Experiments.Streams;

namespace CamCube.Experiments.Tests.Streams;

/// <summary>Goodput by loss and window, kept as a text beside this file: as smoltcp's netsim does it. Run with
/// CAMCUBE_DRAW=1 the test writes it anew, and <c>git diff</c> shows what a change of the protocol does.</summary>
public sealed class LossExperimentTests
{
    [Fact]
    public void Goodput_under_loss_is_as_asked_and_as_it_was()
    {
        List<LossPoint> points = LossExperiment.Run(seed: 1, TimeSpan.FromSeconds(0.5));
        string table = LossTable.Of(points);
        string path = Path.Combine(
            AppContext.BaseDirectory,
            "../../../../tests/CamCube.Experiments.Tests/Streams/loss.txt"
        );
        if (Environment.GetEnvironmentVariable("CAMCUBE_DRAW") == "1")
        {
            File.WriteAllText(path, table);
        }

        Assert.All(
            points.Where(point => point.Asked is not null),
            p => Assert.InRange(p.OfArriving, p.Asked!.Value, 1.02)
        );
        Assert.Equal(File.ReadAllText(path), table);
    }
}
