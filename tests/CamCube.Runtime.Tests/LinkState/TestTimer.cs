namespace CamCube.Runtime.Tests.LinkState;

/// <summary>A timer in the virtual time of a <see cref="LinkStateCube"/>. Dies with its server's run.</summary>
internal sealed class TestTimer(TestServer server, Action onDue) : ServerTimer
{
    private readonly int _instance = server.Instance;
    private int _arming;
    private bool _isArmed;

    public override bool IsArmed => _isArmed;

    public override void Arm(TimeSpan delay) => ArmAt(server.NowNanos + Math.Max(0, (long)delay.TotalNanoseconds));

    public override void ArmAt(long dueNanos)
    {
        int arming = ++_arming;
        _isArmed = true;
        server.Cube.At(
            Math.Max(dueNanos, server.NowNanos),
            server,
            isPacket: false,
            () =>
            {
                if (_isArmed && arming == _arming && server.Instance == _instance)
                {
                    _isArmed = false;
                    onDue();
                }
            }
        );
    }

    public override void Cancel() => _isArmed = false;
}
