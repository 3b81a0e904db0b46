using CamCube.Faults;

namespace CamCube.Hosting.Faults;

/// <summary>The fault rules that operators have put into force at the links of this process, by number. Any
/// thread.</summary>
/// <param name="rules">The rules of the cube; null: its links obey none, because nobody may control them.</param>
internal sealed class FaultDesk(LinkFaultRules? rules)
{
    private readonly Lock _lock = new();
    private readonly SortedDictionary<int, (FaultOrder Order, IDisposable Rule)> _inForce = [];
    private int _last;

    /// <summary>What all rules have done so far, ended ones and those of the program itself too.</summary>
    public LinkFaultCounts Counts => rules?.Counts ?? default;

    /// <summary>The rules in force, oldest first.</summary>
    public IReadOnlyList<(int Id, FaultOrder Order)> InForce
    {
        get
        {
            lock (_lock)
            {
                return [.. _inForce.Select(rule => (rule.Key, rule.Value.Order))];
            }
        }
    }

    /// <summary>Puts a fault into force. Answers its number.</summary>
    /// <exception cref="InvalidOperationException">The links of this process obey no rules.</exception>
    public int Add(FaultOrder order)
    {
        if (rules is null)
        {
            throw new InvalidOperationException("The links of this process obey no fault rules.");
        }

        lock (_lock)
        {
            _inForce.Add(++_last, (order, rules.Add(order.Fault, order.Scope)));
            return _last;
        }
    }

    /// <summary>Ends a rule. False: there is none of this number.</summary>
    public bool End(int id)
    {
        lock (_lock)
        {
            if (!_inForce.Remove(id, out (FaultOrder Order, IDisposable Rule) found))
            {
                return false;
            }

            found.Rule.Dispose();
            return true;
        }
    }

    /// <summary>Ends all rules that were put into force here.</summary>
    public void EndAll()
    {
        lock (_lock)
        {
            foreach ((FaultOrder Order, IDisposable Rule) found in _inForce.Values)
            {
                found.Rule.Dispose();
            }

            _inForce.Clear();
        }
    }
}
