using System.Globalization;
using System.Text;

namespace CamCube.Experiments.Streams;

/// <summary>Points of <see cref="LossExperiment"/> as a text to read and to compare.</summary>
internal static class LossTable
{
    /// <summary>A line per loss, a column per window.</summary>
    public static string Of(IReadOnlyList<LossPoint> points)
    {
        var text = new StringBuilder("Rate of a stream over one path / (1-loss)^hops, by what its reader grants.\n\n");
        foreach (IGrouping<int, LossPoint> hops in points.GroupBy(point => point.Hops))
        {
            string[] windows = [.. hops.Select(point => point.WindowName).Distinct()];
            text.Append(Line($"{hops.Key} {(hops.Key == 1 ? "hop" : "hops")}", windows)).Append("   (1-loss)^hops\n");
            foreach (IGrouping<double, LossPoint> loss in hops.GroupBy(point => point.Loss))
            {
                text.Append(
                        Line(
                            $"loss {Text(100 * loss.Key, "0")} %",
                            loss.Select(point => Text(point.OfArriving, "0.000"))
                        )
                    )
                    .Append(Text(loss.First().Arriving, "0.000").PadLeft(16))
                    .Append('\n');
            }

            text.Append('\n');
        }

        return text.ToString().TrimEnd('\n') + "\n";
    }

    private static string Line(string first, IEnumerable<string> others) =>
        first.PadRight(10) + string.Concat(others.Select(other => other.PadLeft(10)));

    private static string Text(double value, string format) => value.ToString(format, CultureInfo.InvariantCulture);
}
