using System.Diagnostics.CodeAnalysis;
using CamCube.Runtime.Loop;

namespace CamCube.Runtime.Memory;

/// <summary>The memory of one instance of a service. Loop only, except <see cref="Claims"/> and
/// <see cref="Budget"/>.</summary>
/// <param name="owner">Whose it is.</param>
/// <param name="description">Whose it is, for people: "cache on server (0,0,0)".</param>
/// <param name="budget">What it may claim.</param>
/// <param name="cache">Where its chunks come from.</param>
internal sealed class ServiceMemory(ILoopOwner owner, string description, MemoryBudget budget, ChunkCache cache)
    : IServerMemory
{
    // Replaced, never changed: the status reader walks it from outside.
    private volatile MemoryClaim[] _claims = [];

    public long Limit => budget.Limit;

    public long Claimed => budget.Used;

    public long Room => owner.IsStopped ? 0 : budget.Room;

    public MemoryBudget Budget => budget;

    public IReadOnlyList<MemoryClaim> Claims => _claims;

    public ChunkCache Cache => cache;

    /// <summary>"cache on server (0,0,0)".</summary>
    public string Description => description;

    public bool TryClaim(string name, long bytes, [NotNullWhen(true)] out IMemoryClaim? claim)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        claim = null;
        if (owner.IsStopped || (bytes == 0 && budget.Limit == 0) || !budget.TryTake(bytes))
        {
            return false;
        }

        MemoryClaim made = new(this, name, bytes);
        _claims = [.. _claims, made];
        claim = made;
        return true;
    }

    public void Forget(MemoryClaim claim) => _claims = [.. _claims.Where(c => c != claim)];

    /// <summary>The instance ends: all is taken back.</summary>
    public void End()
    {
        foreach (MemoryClaim claim in _claims)
        {
            claim.End();
        }

        _claims = [];
    }
}
