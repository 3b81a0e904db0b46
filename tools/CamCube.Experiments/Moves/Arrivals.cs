using System.Globalization;
using CamCube.Services.Workloads.Messages;

namespace CamCube.Experiments.Moves;

/// <summary>Numbers of the messages that came to a name, wherever it was. Filled from reports, each of which has all
/// that its server has seen since it began.</summary>
internal sealed class Arrivals
{
    private readonly Dictionary<int, HashSet<int>> _numbers = [];

    /// <summary>How many came to more than one opening.</summary>
    public long Doubled { get; private set; }

    /// <summary>What came to one opening.</summary>
    public void Add(OpeningReport opening)
    {
        foreach ((int sender, string ranges) in opening.Numbers)
        {
            if (!_numbers.TryGetValue(sender, out HashSet<int>? set))
            {
                _numbers.Add(sender, set = []);
            }

            foreach (string range in ranges.Split(','))
            {
                string[] ends = range.Split('-');
                int last = Number(ends[1]);
                for (int number = Number(ends[0]); number <= last; number++)
                {
                    Doubled += set.Add(number) ? 0 : 1;
                }
            }
        }
    }

    /// <summary>How many numbers of a sender, from the first to before the end, did not come.</summary>
    public long Missing(int sender, int first, int end)
    {
        _numbers.TryGetValue(sender, out HashSet<int>? set);
        return Enumerable.Range(first, Math.Max(0, end - first)).Count(number => set?.Contains(number) != true);
    }

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);
}
