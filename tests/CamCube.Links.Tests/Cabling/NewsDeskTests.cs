namespace CamCube.Cabling.Tests;

public sealed class NewsDeskTests
{
    private static readonly NewsItem Fault = new("eth1", "eth1 hears nothing", true, false);
    private static readonly NewsItem Waiting = new("waiting", "waiting for a server", false, true);
    private readonly List<LinkNews> _told = [];
    private readonly NewsDesk _desk;

    public NewsDeskTests() => _desk = new NewsDesk(_told.Add, delayNanos: 20, reminderNanos: 600);

    [Fact]
    public void What_comes_and_goes_is_not_told()
    {
        for (long now = 0; now < 1_000; now += 10)
        {
            _desk.Update(now % 20 == 0 ? [Fault] : [], now);
        }

        Assert.Empty(_told);
    }

    [Fact]
    public void A_fault_is_told_once_and_again_when_it_is_gone_for_a_while()
    {
        Pass(0, 500, Fault);
        Assert.Equal([new LinkNews(true, Fault.Text)], _told);

        Pass(500, 520);
        Pass(520, 600, Fault);
        Assert.Single(_told);

        Pass(600, 700);
        Assert.Equal([new LinkNews(true, Fault.Text), new LinkNews(false, $"mended: {Fault.Text}")], _told);
    }

    [Fact]
    public void Other_words_about_the_same_are_told_without_mending()
    {
        Pass(0, 100, Fault);
        Pass(100, 300, Fault with { Text = "eth1 hears a stranger" });

        Assert.Equal(["eth1 hears nothing", "eth1 hears a stranger"], _told.Select(n => n.Text));
    }

    [Fact]
    public void What_is_waited_for_is_told_again_and_its_end_is_not()
    {
        Pass(0, 1_500, Waiting);
        Pass(1_500, 1_600);

        Assert.Equal(3, _told.Count);
        Assert.All(_told, n => Assert.Equal(new LinkNews(false, Waiting.Text), n));
        Assert.Equal(long.MaxValue, _desk.Deadline);
    }

    private void Pass(long from, long to, params NewsItem[] items)
    {
        for (long now = from; now < to; now += 10)
        {
            _desk.Update(items, now);
        }
    }
}
