using System.Diagnostics.CodeAnalysis;
using CamCube.Runtime.Engine;

namespace CamCube.Runtime.Memory;

/// <summary>The memory of one instance of a service. Loop only, except <see cref="Claims"/> and <see cref="Budget"/>.</summary>
internal sealed class ServiceMemory(ServiceView view, MemoryBudget budget) : IServerMemory
{
    // Replaced, never changed: the status reader walks it from outside.
    private volatile MemoryClaim[] _claims = [];

    public long Limit => budget.Limit;

    public long Claimed => budget.Used;

    public long Room => view.IsStopped ? 0 : budget.Room;

    public MemoryBudget Budget => budget;

    public IReadOnlyList<MemoryClaim> Claims => _claims;

    public ChunkCache Cache => view.Runtime.Context.Chunks;

    /// <summary>"cache on server (0,0,0)".</summary>
    public string Description => $"{view.Slot.Definition.Name} on server {view.Coordinate}";

    public bool TryClaim(string name, long bytes, [NotNullWhen(true)] out IMemoryClaim? claim)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        claim = null;
        if (view.IsStopped || (bytes == 0 && budget.Limit == 0) || !budget.TryTake(bytes))
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
