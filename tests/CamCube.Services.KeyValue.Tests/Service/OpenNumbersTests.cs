using CamCube.Services.KeyValue.Requests;

namespace CamCube.Services.KeyValue.Tests.Service;

public sealed class OpenNumbersTests
{
    [Fact]
    public void Closed_is_what_a_set_of_the_open_ones_says()
    {
        var random = new Random(7);
        var numbers = new OpenNumbers();
        var open = new SortedSet<ulong>();
        ulong last = 0;
        for (int step = 0; step < 50_000; step++)
        {
            // Waves, so that the ring grows, is nearly full, and is empty again; some stay open for long.
            bool begins = open.Count == 0 || random.NextDouble() < (step % 4_000 < 2_000 ? 0.55 : 0.45);
            if (begins)
            {
                Assert.Equal(++last, numbers.Begin());
                open.Add(last);
            }
            else
            {
                ulong ended = random.Next(3) == 0 ? open.Min : open.ElementAt(random.Next(Math.Min(50, open.Count)));
                open.Remove(ended);
                numbers.End(ended);
            }

            // Nobody's: of a question that was no change, and one that has ended.
            numbers.End(0);
            numbers.End(numbers.Closed);
            numbers.End(last + 1);
            Assert.Equal((open.Count > 0 ? open.Min : last + 1) - 1, numbers.Closed);
        }
    }
}
