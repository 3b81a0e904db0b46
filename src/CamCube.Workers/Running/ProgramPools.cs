namespace CamCube.Workers;

/// <summary>Programs of this process: all servers in it share those of a name.</summary>
public static class ProgramPools
{
    private static readonly Dictionary<string, (ProgramPool Pool, int Users)> Pools = [];
#pragma warning disable RS0030 // The pool is outside of every server, and so is its clock.
    private static readonly TimeProvider Clock = TimeProvider.System;
#pragma warning restore RS0030
    private static readonly Lock Gate = new();

    /// <summary>
    /// Joins the programs of a name; the first says how many. Costs nothing until one is started. Any thread.
    /// </summary>
    /// <param name="name">In names of threads, too.</param>
    /// <param name="options">How many and how; of no account if the name is open already.</param>
    /// <returns>The caller's own share: disposing of it kills its programs.</returns>
    public static IPrograms Open(string name, ProgramsOptions options)
    {
        lock (Gate)
        {
            (ProgramPool pool, int users) = Pools.TryGetValue(name, out var open)
                ? open
                : (new ProgramPool(name, options, Clock), 0);
            Pools[name] = (pool, users + 1);
            return new ProgramShare(pool, () => Leave(name));
        }
    }

    private static void Leave(string name)
    {
        lock (Gate)
        {
            (ProgramPool pool, int users) = Pools[name];
            if (users > 1)
            {
                Pools[name] = (pool, users - 1);
                return;
            }

            Pools.Remove(name);
        }
    }
}
