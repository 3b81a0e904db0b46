using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Tests.Index;

/// <summary>The buckets of a group's keys beside a dictionary, and a walk through them while they change.</summary>
public sealed class GroupKeysTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void It_keeps_what_a_dictionary_keeps(int seed)
    {
        var random = new Random(seed);
        var keys = new GroupKeys(Slots(), 0);
        Dictionary<UInt128, ulong> model = [];
        for (int i = 0; i < 20_000; i++)
        {
            UInt128 key = Name(random.Next(500));
            ulong version = (ulong)random.Next(1_000);
            if (random.Next(3) == 0)
            {
                keys.Remove(key);
                model.Remove(key);
            }
            else
            {
                keys.Put(key, Entry(version));
                model[key] = Math.Max(version, model.GetValueOrDefault(key));
            }

            bool isThere = keys.TryGet(key, out IndexEntry entry);
            Assert.Equal(model.TryGetValue(key, out ulong expected), isThere);
            Assert.Equal((expected, model.Count), (entry.Version, keys.Count));
        }

        Assert.Equal(
            model.OrderBy(p => p.Key),
            keys.All.Select(p => new KeyValuePair<UInt128, ulong>(p.Key, p.Value.Version)).OrderBy(p => p.Key)
        );
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(100)]
    [InlineData(10_000)]
    public void A_walk_meets_what_is_there_all_the_time_however_many_come_and_go_meanwhile(int stay)
    {
        var random = new Random(stay);
        var keys = new GroupKeys(Slots(), 0);
        for (int i = 0; i < stay; i++)
        {
            keys.Put(Name(i), Entry(1));
        }

        Dictionary<UInt128, int> met = [];
        List<UInt128> some = [];
        ulong cursor = 0;
        int next = stay;
        do
        {
            some.Clear();
            cursor = keys.Collect(cursor, some);
            some.ForEach(key => met[key] = met.GetValueOrDefault(key) + 1);
            for (int i = random.Next(20); i > 0 && next < stay + 50_000; i--)
            {
                keys.Put(Name(next++), Entry(1));
                keys.Remove(Name(stay + random.Next(next - stay)));
            }
        } while (cursor != 0);

        Assert.All(Enumerable.Range(0, stay), i => Assert.Equal(1, met.GetValueOrDefault(Name(i))));
    }

    [Fact]
    public void Any_number_is_a_cursor()
    {
        var keys = new GroupKeys(Slots(), 0);
        for (int i = 0; i < 100; i++)
        {
            keys.Put(Name(i), Entry(1));
        }

        var random = new Random(1);
        for (int i = 0; i < 1_000; i++)
        {
            ulong cursor = (ulong)random.NextInt64(long.MinValue, long.MaxValue);
            for (int steps = 0; (cursor = keys.Collect(cursor, [])) != 0; steps++)
            {
                Assert.InRange(steps, 0, 200);
            }
        }
    }

    private static KeySlots Slots() => new(new IndexMemory(new NoMemory()), 0);

    private static IndexEntry Entry(ulong version) => new(version, default, 0, 0, false);

    private static UInt128 Name(int number)
    {
        byte[] hash = System.Security.Cryptography.SHA256.HashData(BitConverter.GetBytes(number));
        return System.Buffers.Binary.BinaryPrimitives.ReadUInt128LittleEndian(hash) >> 48;
    }
}
