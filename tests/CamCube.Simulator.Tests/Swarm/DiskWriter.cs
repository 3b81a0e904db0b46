namespace CamCube.Simulator.Tests.Swarm;

/// <summary>Writes a file of its own as long as it lives, whatever the disk answers, and looks at the clock.</summary>
internal sealed class DiskWriter(IServer server, Action stoodStill) : CamCubeService
{
    private const int MostBytes = 64 << 10;
    private readonly byte[] _bytes = new byte[3_000];
    private long _at;

    /// <summary>Rounds in which the disk did all that it was told.</summary>
    public long Done { get; private set; }

    public override Verdict OnPacket(in HopContext hop, Packet packet) => Verdict.Consume;

    public override void OnStart() => server.Loop.Run(WriteAsync);

    private async ValueTask WriteAsync()
    {
        while (await server.DelayAsync(TimeSpan.FromMilliseconds(1)))
        {
            Done += await RoundAsync() ? 1 : 0;
            long step = server.NowNanos;
            if (server.Loop.ReadClock() > step)
            {
                stoodStill();
            }
        }
    }

    private async ValueTask<bool> RoundAsync()
    {
        if ((await server.Disk.OpenAsync("log", create: true)).Value is not { } file)
        {
            return false;
        }

        Array.Fill(_bytes, (byte)_at);
        bool isDone = await file.WriteAsync(_at, _bytes, sync: true) == DiskStatus.Done;
        isDone &= await server.Disk.SyncAsync() == DiskStatus.Done;
        isDone &= (await file.ReadAsync(_at, _bytes)).Status == DiskStatus.Done;
        _at += _bytes.Length;
        if (_at > MostBytes)
        {
            isDone &= await file.SetLengthAsync(0) == DiskStatus.Done;
            _at = 0;
        }

        file.Close();
        return isDone;
    }
}
