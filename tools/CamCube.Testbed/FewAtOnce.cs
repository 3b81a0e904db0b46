using System.Runtime.ExceptionServices;

namespace CamCube.Testbed;

/// <summary>Work for many servers, a few at a time: each starts a program, and all at once would fill the
/// machine.</summary>
public static class FewAtOnce
{
    private const int Few = 4;

    /// <summary>Does the work for each, and returns when all is done.</summary>
    /// <remarks>After an exception no more is begun, and the first one comes out as it is.</remarks>
    public static void Do<T>(IEnumerable<T> all, Action<T> work)
    {
        try
        {
            Parallel.ForEach(all, new ParallelOptions { MaxDegreeOfParallelism = Few }, work);
        }
        catch (AggregateException e)
        {
            // Who fails says it in a line; several of them say the same.
            ExceptionDispatchInfo.Throw(e.InnerExceptions[0]);
        }
    }
}
