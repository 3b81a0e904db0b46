using System.Globalization;

namespace CamCube.Benchmarks;

/// <summary>What was measured in rounds, and ratios of single rounds: the machine's speed changes within
/// seconds.</summary>
internal sealed class Rounds
{
    private readonly Dictionary<string, List<double>> _all = [];

    /// <summary>Notes one.</summary>
    public void Add(string what, double value)
    {
        _all.TryAdd(what, []);
        _all[what].Add(value);
    }

    /// <summary>Prints all, with median and range.</summary>
    public void Print(string unit)
    {
        foreach ((string what, List<double> values) in _all)
        {
            Console.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{what, -44} {Median(values), 9:0.00} {unit} ({values.Min():0.00} to {values.Max():0.00})"
                )
            );
        }
    }

    /// <summary>Prints the median of the ratios, and what is asked of it.</summary>
    public void Ratio(string name, string of, string to, string asked)
    {
        if (_all.TryGetValue(of, out List<double>? own) && _all.TryGetValue(to, out List<double>? peer))
        {
            List<double> ratios = [.. own.Zip(peer, static (a, b) => a / b)];
            string range = string.Create(CultureInfo.InvariantCulture, $"{ratios.Min():0.00} to {ratios.Max():0.00}");
            Console.WriteLine(
                string.Create(CultureInfo.InvariantCulture, $"{name}: {Median(ratios):0.00} ({range}; asked {asked})")
            );
        }
    }

    private static double Median(List<double> all) => all.Order().ElementAt(all.Count / 2);
}
