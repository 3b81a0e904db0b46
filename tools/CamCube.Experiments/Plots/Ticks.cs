using System.Globalization;

namespace CamCube.Experiments.Plots;

/// <summary>Round numbers along an axis.</summary>
internal static class Ticks
{
    /// <summary>A step of 1, 2, 2.5 or 5 times a power of ten that divides a range into about so many parts.</summary>
    public static double Step(double range, int parts)
    {
        double rough = range / parts;
        double power = Math.Pow(10, Math.Floor(Math.Log10(rough)));
        double first = rough / power;
        return power
            * (
                first <= 1 ? 1
                : first <= 2 ? 2
                : first <= 2.5 ? 2.5
                : first <= 5 ? 5
                : 10
            );
    }

    /// <summary>Multiples of a step within a range.</summary>
    public static IReadOnlyList<double> Linear(double least, double most, double step)
    {
        var ticks = new List<double>();
        for (long i = (long)Math.Ceiling((least / step) - 1e-9); i * step <= most + (step * 1e-9); i++)
        {
            ticks.Add(i * step);
        }

        return ticks;
    }

    /// <summary>Powers of ten within a range; 2 and 5 times them too if there are few.</summary>
    public static IReadOnlyList<double> Logarithmic(double least, double most)
    {
        int first = (int)Math.Floor(Math.Log10(least)),
            last = (int)Math.Ceiling(Math.Log10(most));
        double[] factors = Math.Log10(most / least) > 2.5 ? [1] : [1, 2, 5];
        return
        [
            .. Enumerable
                .Range(first, last - first + 1)
                .SelectMany(power => factors.Select(factor => factor * Math.Pow(10, power)))
                .Where(value => value >= least * (1 - 1e-9) && value <= most * (1 + 1e-9)),
        ];
    }

    /// <summary>The text of a tick: as many decimals as the closest neighbours need.</summary>
    public static string Text(double value)
    {
        double clean = Math.Round(value, 10);
        return clean.ToString(Math.Abs(clean) >= 10_000 ? "#,0.####" : "0.####", CultureInfo.InvariantCulture);
    }
}
