namespace CamCube.Workers;

/// <summary>The pools of this process: one for each kind of workers, shared by all servers in it.</summary>
public static class WorkerPools
{
    private static readonly Dictionary<string, (ProcessPool Pool, int Users)> Pools = [];
#pragma warning disable RS0030 // The pool is outside of every server, and so is its clock.
    private static readonly TimeProvider Clock = TimeProvider.System;
#pragma warning restore RS0030
    private static readonly Lock Gate = new();

    /// <summary>
    /// Joins the pool of a kind; makes it if nobody has it yet, with this kind's settings. Costs nothing until there is
    /// a job. Any thread.
    /// </summary>
    /// <param name="kind">Who opens a name that is open already gets that pool, with the settings of whoever came
    /// first.</param>
    /// <returns>The caller's own share: disposing of it gives up its jobs that wait, and the last one closes the
    /// pool.</returns>
    public static IWorkers Open(WorkerKind kind)
    {
        lock (Gate)
        {
            (ProcessPool pool, int users) = Pools.TryGetValue(kind.Name, out var open)
                ? open
                : (new ProcessPool(kind, Clock), 0);
            Pools[kind.Name] = (pool, users + 1);
            return new PoolShare(pool, () => Leave(kind.Name));
        }
    }

    private static void Leave(string name)
    {
        ProcessPool pool;
        lock (Gate)
        {
            (pool, int users) = Pools[name];
            if (users > 1)
            {
                Pools[name] = (pool, users - 1);
                return;
            }

            Pools.Remove(name);
        }

        pool.Dispose();
    }
}
