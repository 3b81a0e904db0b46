namespace CamCube.Abstractions.Tests.Routing;

public sealed class KeySetTests
{
    private static readonly Key Some = new(0x0001_0002_0003_0004, 5, 6);

    [Fact]
    public void The_default_is_an_empty_any_of()
    {
        Assert.Equal((KeySetKind.AnyOf, 0), (default(KeySet).Kind, default(KeySet).Count));
        Assert.Equal((KeySetKind.AllOf, 0), (new KeySet(KeySetKind.AllOf).Kind, new KeySet(KeySetKind.AllOf).Count));
    }

    [Fact]
    public void A_cleared_set_is_as_new()
    {
        KeySet keys = new(KeySetKind.AllOf);
        keys.Add(Some);
        keys.Clear();
        Assert.Equal((KeySetKind.AnyOf, 0), (keys.Kind, keys.Count));
        keys.Add(new Coordinate(1, 2, 3));
        Assert.False(keys[0].IsKey);
    }

    [Fact]
    public void Keys_keep_their_order_and_what_they_are_and_none_is_in_it_twice()
    {
        KeySet keys = new(KeySetKind.AllOf);
        Destination server = new Coordinate(1, 2, 3);
        keys.Add(Some);
        keys.Add(server);
        keys.Add(Some);
        keys.Add(new Key(server.Route, 0, 0));
        Assert.Equal(3, keys.Count);
        Assert.Equal((Destination)Some, keys[0]);
        Assert.Equal(server, keys[1]);
        Assert.True(keys[2].IsKey && keys[2].Route == server.Route);
        Assert.True(keys.Contains(server));
        Assert.False(keys.Contains(new Coordinate(3, 2, 1)));
    }

    [Fact]
    public void Another_sets_keys_are_added_once_and_its_kind_is_not()
    {
        KeySet keys = default,
            more = new(KeySetKind.AllOf);
        keys.Add(Some);
        more.Add(Some);
        more.Add(new Coordinate(1, 1, 1));
        keys.Add(more);
        Assert.Equal((KeySetKind.AnyOf, 2), (keys.Kind, keys.Count));
    }

    [Fact]
    public void A_copy_is_another_set()
    {
        KeySet first = default;
        first.Add(Some);
        KeySet second = first;
        second.Add(new Coordinate(1, 1, 1));
        Assert.Equal((1, 2), (first.Count, second.Count));
    }

    [Fact]
    public void A_full_set_takes_no_key_and_there_is_no_key_beyond_the_last()
    {
        KeySet keys = default;
        for (ushort i = 0; i < KeySet.Capacity; i++)
        {
            keys.Add(new Coordinate(i, 0, 0));
        }

        keys.Add(new Coordinate(0, 0, 0));
        Assert.Equal(KeySet.Capacity, keys.Count);
        Assert.Throws<InvalidOperationException>(() => keys.Add(new Coordinate(9, 0, 0)));
        Assert.Throws<ArgumentOutOfRangeException>(() => keys[KeySet.Capacity]);
        Assert.Throws<ArgumentOutOfRangeException>(() => keys[-1]);
    }
}
