namespace CamCube.FrontEnds.Tests;

/// <summary>A service that does nothing, or breaks.</summary>
[CamCubeService(0x7F40, "quiet")]
internal sealed class QuietService : CamCubeService, IQuiet
{
    public void Break() => throw new InvalidOperationException("It breaks.");

    public async ValueTask<int> WaitAsync(TaskCompletionSource<int> until) => await until.Task;

    public override Verdict OnPacket(in HopContext hop, Packet packet) => throw new NotSupportedException();
}
