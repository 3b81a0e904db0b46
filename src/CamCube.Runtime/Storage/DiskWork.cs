using CamCube.Runtime.Async;
using CamCube.Runtime.Engine;

namespace CamCube.Runtime.Storage;

/// <summary>
/// One operation on files: made on a thread of the pool, because it blocks, and ended on the loop of the service that asked for it.
/// </summary>
/// <param name="server">The server.</param>
/// <param name="pending">Who waits.</param>
/// <param name="work">The operation; any thread.</param>
/// <param name="failed">The answer for a status other than Done.</param>
/// <param name="unwanted">Told the result if nobody waits for it any more; loop.</param>
internal sealed class DiskWork<T>(
    ServerRuntime server, ServiceDisk.Pending<T> pending, Func<T> work, Func<DiskStatus, T> failed, Action<T>? unwanted) : LoopWork, IThreadPoolWorkItem
{
    private const int NoSpace = 28;
    private const int QuotaExceeded = 122;
    private const int WindowsDiskFull = unchecked((int)0x8007_0070);
    private T _result = default!;

    public void Start()
    {
#pragma warning disable RS0030 // The border where a server's files are worked on: only bytes and statuses come back.
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
#pragma warning restore RS0030
    }

    /// <summary>On the loop.</summary>
    public override void Execute()
    {
        if (!pending.IsPending)
        {
            unwanted?.Invoke(_result);
            return;
        }

        server.Now = Math.Max(server.Now, server.Context.NowNanos);
        pending.End(_result);
        server.Context.Touched(server.Rank);
    }

    void IThreadPoolWorkItem.Execute()
    {
        try
        {
            _result = work();
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            _result = failed(DiskStatus.NotFound);
        }
        catch (ObjectDisposedException)
        {
            _result = failed(DiskStatus.Stopped);
        }
        catch (IOException e) when (e.HResult is NoSpace or QuotaExceeded or WindowsDiskFull)
        {
            _result = failed(DiskStatus.Full);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or NotSupportedException or ArgumentException)
        {
            // Nobody but the service can do anything about it, and a failed disk is an answer.
            _result = failed(DiskStatus.Failed);
        }

        server.Context.Inbox.Post(this);
    }
}
