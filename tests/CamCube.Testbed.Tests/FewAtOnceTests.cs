namespace CamCube.Testbed.Tests;

/// <summary>Work for many servers of which several fail.</summary>
public sealed class FewAtOnceTests
{
    [Fact]
    public void All_is_done_and_never_more_than_a_few_at_once()
    {
        int now = 0,
            most = 0,
            done = 0;
        FewAtOnce.Do(
            Enumerable.Range(0, 200),
            _ =>
            {
                int here = Interlocked.Increment(ref now);
                InterlockedMax(ref most, here);
                Thread.SpinWait(1_000);
                Interlocked.Decrement(ref now);
                Interlocked.Increment(ref done);
            }
        );
        Assert.Equal(200, done);
        Assert.InRange(most, 1, 4);
    }

    [Fact]
    public void Where_many_fail_at_once_one_line_comes_out()
    {
        TestbedException e = Assert.Throws<TestbedException>(() =>
            FewAtOnce.Do(
                Enumerable.Range(0, 64),
                i =>
                {
                    if (i % 2 == 0)
                    {
                        throw new TestbedException("ip: no room");
                    }
                }
            )
        );
        Assert.Equal("ip: no room", e.Message);
    }

    private static void InterlockedMax(ref int most, int value)
    {
        for (int seen = most; seen < value; seen = most)
        {
            Interlocked.CompareExchange(ref most, value, seen);
        }
    }
}
