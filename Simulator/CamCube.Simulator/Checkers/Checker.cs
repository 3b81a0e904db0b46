namespace CamCube.Simulator.Checkers;

/// <summary>
/// One promise of the product, checked while a simulated cube runs. Counts what it looked at, so that a checker that
/// never had anything to look at is noticed; keeps the first failures and the number of all. Used between advances, by
/// the thread that drives the cube.
/// </summary>
/// <param name="name">What is checked, lower case with hyphens; a column of the output.</param>
public abstract class Checker(string name)
{
    private const int MostKept = 5;
    private readonly List<CheckFailure> _failures = [];

    /// <summary>What is checked.</summary>
    public string Name { get; } = name;

    /// <summary>How often it was checked.</summary>
    public long Checks { get; protected set; }

    /// <summary>All failures, those too that were not kept.</summary>
    public long FailureCount { get; private set; }

    /// <summary>The first failures.</summary>
    public IReadOnlyList<CheckFailure> Failures => _failures;

    /// <summary>Notes a failure.</summary>
    protected void Fail(long nanos, string what)
    {
        FailureCount++;
        if (_failures.Count < MostKept)
        {
            _failures.Add(new CheckFailure(Name, nanos, what));
        }
    }
}
