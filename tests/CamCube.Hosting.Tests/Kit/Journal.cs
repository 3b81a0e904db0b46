namespace CamCube.Hosting.Tests.Kit;

/// <summary>What happened, in order. Any thread.</summary>
internal sealed class Journal
{
    private readonly Lock _lock = new();
    private readonly List<string> _entries = [];

    public IReadOnlyList<string> Entries
    {
        get
        {
            lock (_lock)
            {
                return [.. _entries];
            }
        }
    }

    public void Add(string entry)
    {
        lock (_lock)
        {
            _entries.Add(entry);
        }
    }
}
