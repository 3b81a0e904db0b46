namespace CamCube.Histories.Checking;

/// <summary>
/// From where no order was found: with these placed and this state, by whoever has used at least so many of each kind
/// of those whose end nobody knows.
/// </summary>
internal sealed class FailedStates
{
    private readonly Dictionary<(UInt128 Placed, KeyState State), List<int[]>> _needs = [];

    /// <summary>What has to be used for that nothing is found from here, if at least that is; null: nothing is known.
    /// </summary>
    public int[]? Find(UInt128 placed, KeyState state, ReadOnlySpan<int> used)
    {
        if (_needs.TryGetValue((placed, state), out List<int[]>? needs))
        {
            foreach (int[] need in needs)
            {
                if (IsAtMost(need, used))
                {
                    return need;
                }
            }
        }

        return null;
    }

    /// <summary>Nothing was found from here.</summary>
    /// <param name="placed">What is placed.</param>
    /// <param name="state">The state.</param>
    /// <param name="need">What is used by all of whom that is known; empty: by anybody.</param>
    public void Add(UInt128 placed, KeyState state, int[] need)
    {
        if (!_needs.TryGetValue((placed, state), out List<int[]>? needs))
        {
            _needs.Add((placed, state), needs = new List<int[]>(1));
        }

        needs.RemoveAll(other => need.Length == 0 || (other.Length > 0 && IsAtMost(need, other)));
        needs.Add(need);
    }

    private static bool IsAtMost(int[] one, ReadOnlySpan<int> other)
    {
        for (int i = 0; i < one.Length; i++)
        {
            if (one[i] > other[i])
            {
                return false;
            }
        }

        return true;
    }
}
