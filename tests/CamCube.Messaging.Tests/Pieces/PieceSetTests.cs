using CamCube.Messaging.Pieces;

namespace CamCube.Messaging.Tests.Pieces;

public sealed class PieceSetTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(63)]
    [InlineData(64)]
    [InlineData(65)]
    [InlineData(1000)]
    public void A_set_agrees_with_a_plain_set(int size)
    {
        var random = new Random(size);
        PieceSet set = PieceSet.Rent(size);
        var model = new SortedSet<int>();
        for (int i = 0; i < 4 * size; i++)
        {
            int index = random.Next(size);
            if (random.Next(4) == 0)
            {
                int first = model.Count == 0 ? -1 : model.Min;
                Assert.Equal(first, set.TakeFirst());
                model.Remove(first);
            }
            else
            {
                Assert.Equal(model.Add(index), set.Add(index));
            }

            Assert.Equal(model.Count, set.Count);
            Assert.Equal(model.Contains(index), set.Contains(index));
            int absent = Enumerable.Range(0, size).FirstOrDefault(n => !model.Contains(n), -1);
            Assert.Equal(absent, set.FirstAbsent(size));
        }

        set.Return();
    }
}
