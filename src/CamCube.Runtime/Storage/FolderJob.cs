using CamCube.Runtime.Workers;

namespace CamCube.Runtime.Storage;

/// <summary>An operation on names. Rare, and so not pooled.</summary>
/// <param name="owner">Who asked.</param>
/// <param name="work">The operation; any thread.</param>
/// <param name="failed">The answer for a status other than Done.</param>
/// <param name="unwanted">Told the result if nobody waits for it any more.</param>
internal sealed class FolderJob<T>(IWorkOwner owner, Func<T> work, Func<DiskStatus, T> failed, Action<T>? unwanted)
    : FileJob<T>(owner)
{
    public static ValueTask<T> Start(
        IWorkOwner owner,
        Func<T> work,
        Func<DiskStatus, T> failed,
        Action<T>? unwanted = null
    ) =>
        owner.IsStopped
            ? new ValueTask<T>(failed(DiskStatus.Stopped))
            : new FolderJob<T>(owner, work, failed, unwanted).Begin();

    protected override T Make() => work();

    protected override T Answer(DiskStatus status) => failed(status);

    protected override void Unwanted(T outcome) => unwanted?.Invoke(outcome);
}
