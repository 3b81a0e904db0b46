namespace CamCube.Services.KeyValue.Tests.FrontEnds.Http;

/// <summary>The store over HTTP: what is asked, and what is answered.</summary>
public sealed class KeyValueHttpTests
{
    [Fact]
    public async Task What_was_put_is_there_with_its_version_until_it_is_deleted()
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        StoreReply put = await cube.PutAsync("/kv/a", "hello");
        Assert.Equal((204, "3", "1"), (put.Status, put.Headers["CamCube-Copies"], put.Headers["CamCube-Hops"]));
        Assert.Matches("^\"[1-9][0-9]*\"$", put.Tag);
        StoreReply got = await cube.GetAsync("/kv/a");
        Assert.Equal((200, "hello", put.Tag, "2"), (got.Status, got.Text, got.Tag, got.Headers["CamCube-Hops"]));
        Assert.Equal("application/octet-stream", got.Headers["Content-Type"]);
        Assert.Equal(("sandbox", "no-cache"), (got.Headers["Content-Security-Policy"], got.Headers["Cache-Control"]));
        StoreReply head = await cube.SendAsync("HEAD", "/kv/a", null);
        Assert.Equal((200, "", "5", put.Tag), (head.Status, head.Text, head.Headers["Content-Length"], head.Tag));
        Assert.Equal(404, (await cube.GetAsync("/kv/a?table=3")).Status);
        StoreReply deleted = await cube.SendAsync("DELETE", "/kv/a", null);
        Assert.Equal((204, "3"), (deleted.Status, deleted.Headers["CamCube-Copies"]));
        Assert.NotEqual(put.Tag, deleted.Tag);
        Assert.Equal(
            (404, "there is no such key."),
            (await cube.GetAsync("/kv/a")) is var r ? (r.Status, r.Detail) : default
        );
        Assert.Equal(404, (await cube.SendAsync("DELETE", "/kv/a", null)).Status);
        Assert.Equal(404, (await cube.SendAsync("HEAD", "/kv/a", null)).Status);
        Assert.Equal(404, (await cube.GetAsync("/")).Status);
        Assert.Equal(404, (await cube.GetAsync("/kv")).Status);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(4_097)]
    [InlineData(FakeStore.Longest)]
    public async Task Values_of_all_lengths_come_back(int length)
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        byte[] value = new byte[length];
        new Random(length).NextBytes(value);
        Assert.Equal(204, (await cube.SendAsync("PUT", "/kv/%7B%7D", value)).Status);
        Assert.Equal(value, (await cube.GetAsync("/kv/{}")).Body);
        await cube.GivenBackAsync();
    }

    [Fact]
    public async Task Content_type_and_own_fields_are_kept()
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        await cube.PutAsync(
            "/kv/a",
            "{}",
            "Content-Type: application/json; charset=utf-8",
            "X-Meta-Owner: Ann",
            "x-meta-b: 1 2"
        );
        StoreReply got = await cube.GetAsync("/kv/a");
        Assert.Equal("application/json; charset=utf-8", got.Headers["Content-Type"]);
        Assert.Equal(("Ann", "1 2"), (got.Headers["X-Meta-Owner"], got.Headers["X-Meta-B"]));
        StoreReply much = await cube.PutAsync("/kv/a", "{}", $"X-Meta-Much: {new string('x', 4_090)}");
        Assert.Equal(
            (431, "Content-Type and X-Meta-* take 4,101 bytes; 4,096 can be kept."),
            (much.Status, much.Detail)
        );
        StoreReply odd = await cube.PutAsync("/kv/a", "{}", "X-Meta-Odd: a\tb");
        Assert.Equal((400, "X-Meta-odd has other characters than visible ASCII and spaces."), (odd.Status, odd.Detail));
        Assert.Equal(415, (await cube.PutAsync("/kv/a", "{}", "Content-Encoding: gzip")).Status);
        Assert.Equal(400, (await cube.PutAsync("/kv/a", "{}", "Content-Range: bytes 0-1/2")).Status);
        Assert.Equal("Ann", (await cube.GetAsync("/kv/a")).Headers["X-Meta-Owner"]);
    }

    [Fact]
    public async Task A_read_is_answered_with_what_its_conditions_and_range_ask_for()
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        string tag = (await cube.PutAsync("/kv/a", "0123456789")).Tag;
        (int Status, string Text)[] answers =
        [
            await Ask($"If-None-Match: {tag}"),
            await Ask($"If-None-Match: W/{tag}"),
            await Ask($"If-None-Match: \"1\", {tag}"),
            await Ask("If-None-Match: \"1\""),
            await Ask("If-Match: \"1\""),
            await Ask($"If-Match: {tag}", "Range: bytes=2-4"),
            await Ask("Range: bytes=-3"),
            await Ask("Range: bytes=8-99"),
            await Ask("Range: bytes=10-"),
            await Ask("Range: bytes=4-2"),
            await Ask("Range: bytes=0-1,3-4"),
            await Ask("Range: bytes=0-1", $"If-Range: {tag}"),
            await Ask("Range: bytes=0-1", "If-Range: \"1\""),
            await Ask($"Range: bytes={string.Join(',', Enumerable.Range(0, 5_000).Select(i => $"{i}-"))}"),
        ];
        Assert.Equal(
            [
                (304, ""),
                (304, ""),
                (304, ""),
                (200, "0123456789"),
                (412, ""),
                (206, "234"),
                (206, "789"),
                (206, "89"),
                (416, ""),
                (200, "0123456789"),
                (200, "0123456789"),
                (206, "01"),
                (200, "0123456789"),
                (200, "0123456789"),
            ],
            answers
        );

        async Task<(int, string)> Ask(params string[] headers) =>
            await cube.GetAsync("/kv/a", headers) is var reply ? (reply.Status, reply.Text) : default;
    }

    [Fact]
    public async Task A_change_is_made_under_its_conditions_by_the_store_itself()
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        StoreReply first = await cube.PutAsync("/kv/a", "1", "If-None-Match: *");
        Assert.Equal((201, KeyValueConditionKind.Absent), (first.Status, await Asked()));
        StoreReply again = await cube.PutAsync("/kv/a", "2", "If-None-Match: *");
        Assert.Equal((412, first.Tag), (again.Status, again.Tag));
        Assert.Equal($"the version that is there is {first.Tag}; nothing was changed.", again.Detail);
        StoreReply second = await cube.PutAsync("/kv/a", "2", $"If-Match: {first.Tag}");
        Assert.Equal((204, KeyValueConditionKind.Version), (second.Status, await Asked()));
        Assert.Equal(412, (await cube.PutAsync("/kv/a", "3", $"If-Match: {first.Tag}")).Status);
        Assert.Equal(204, (await cube.PutAsync("/kv/a", "3", "If-Match: *")).Status);
        Assert.Equal(KeyValueConditionKind.Present, await Asked());
        Assert.Equal(412, (await cube.PutAsync("/kv/none", "3", "If-Match: *")).Status);
        Assert.Equal(412, (await cube.SendAsync("DELETE", "/kv/a", null, $"If-Match: {second.Tag}")).Status);
        Assert.Equal(404, (await cube.SendAsync("DELETE", "/kv/none", null, $"If-Match: {second.Tag}")).Status);
        string last = (await cube.GetAsync("/kv/a")).Tag;
        Assert.Equal(204, (await cube.SendAsync("DELETE", "/kv/a", null, $"If-Match: {last}")).Status);

        Task<KeyValueConditionKind> Asked() => cube.AskAsync(s => s.LastCondition.Kind);
    }

    [Fact]
    public async Task Of_several_tags_one_is_enough_and_a_weak_one_never_is()
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        string tag = (await cube.PutAsync("/kv/a", "1")).Tag;
        Assert.Equal(412, (await cube.PutAsync("/kv/a", "2", $"If-Match: W/{tag}")).Status);
        Assert.Equal(412, (await cube.PutAsync("/kv/a", "2", "If-Match: \"abc\", \"007\"")).Status);
        Assert.Equal(412, (await cube.PutAsync("/kv/a", "2", $"If-Match: {tag}", "If-None-Match: *")).Status);
        Assert.Equal(412, (await cube.PutAsync("/kv/a", "2", $"If-None-Match: W/{tag}")).Status);
        Assert.Equal(412, (await cube.PutAsync("/kv/a", "2", "If-Match: *", $"If-None-Match: \"3\", {tag}")).Status);
        Assert.Equal(412, (await cube.PutAsync("/kv/b", "2", "If-Match: *", $"If-None-Match: {tag}")).Status);
        Assert.Equal("1", (await cube.GetAsync("/kv/a")).Text);
        tag = (await cube.PutAsync("/kv/a", "2", $"If-Match: \"3\", \"4\", {tag}, \"abc\"")).Tag;
        tag = (await cube.PutAsync("/kv/a", "3", "If-Match: *", "If-None-Match: \"3\"")).Tag;
        Assert.Equal(204, (await cube.PutAsync("/kv/a", "4", $"If-Match: {tag}", "If-None-Match: \"9\"")).Status);
        Assert.Equal(204, (await cube.PutAsync("/kv/a", "5", "If-None-Match: \"9\"")).Status);
        Assert.Equal(204, (await cube.PutAsync("/kv/new", "6", "If-None-Match: \"9\"")).Status);
        Assert.Equal("5", (await cube.GetAsync("/kv/a")).Text);
    }

    [Fact]
    public async Task A_key_that_others_change_all_the_time_is_changed_when_it_fits_or_not_at_all()
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        await cube.PutAsync("/kv/a", "1");
        await cube.AskAsync(s => s.Busy = 5);
        Assert.Equal(204, (await cube.PutAsync("/kv/a", "2", "If-None-Match: \"9\"")).Status);
        await cube.AskAsync(s => s.Busy = 1_000);
        int before = await cube.AskAsync(s => s.Puts);
        StoreReply never = await cube.PutAsync("/kv/a", "3", "If-None-Match: \"9\"");
        Assert.Equal(409, never.Status);
        Assert.StartsWith("others changed the key each time", never.Detail, StringComparison.Ordinal);
        Assert.Equal(before + 16, await cube.AskAsync(s => s.Puts));
    }

    [Theory]
    [InlineData("If-Match", "abc")]
    [InlineData("If-Match", "")]
    [InlineData("If-Match", "\"1")]
    [InlineData("If-None-Match", "1")]
    [InlineData("If-None-Match", "\"1\" \"2\"")]
    [InlineData("If-None-Match", ",,,")]
    public async Task A_condition_that_cannot_be_read_is_not_taken_for_none(string header, string value)
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        foreach (string method in (string[])["PUT", "DELETE", "GET", "HEAD"])
        {
            StoreReply reply = await cube.SendAsync(method, "/kv/a", method == "PUT" ? [] : null, $"{header}: {value}");
            Assert.Equal(400, reply.Status);
        }

        Assert.Equal((0, 0), await cube.AskAsync(s => (s.Gets, s.Puts)));
    }

    [Theory]
    [InlineData(KeyValueStatus.Unavailable, 503, 503)]
    [InlineData(KeyValueStatus.DataAway, 503, 503)]
    [InlineData(KeyValueStatus.Full, 507, 507)]
    [InlineData(KeyValueStatus.TooLarge, 413, 413)]
    [InlineData(KeyValueStatus.BadKey, 400, 400)]
    [InlineData(KeyValueStatus.Unknown, 504, 504)]
    public async Task What_was_not_done_says_so(KeyValueStatus status, int ofPut, int ofGet)
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        await cube.AskAsync(s => s.Next = status);
        StoreReply put = await cube.PutAsync("/kv/a", "1"),
            got = await cube.GetAsync("/kv/a"),
            deleted = await cube.SendAsync("DELETE", "/kv/a", null),
            waited = await cube.GetAsync("/kv/a?wait=5");
        Assert.Equal((ofPut, ofGet, ofPut, ofGet), (put.Status, got.Status, deleted.Status, waited.Status));
        Assert.Equal(put.Status == 503, put.Headers.ContainsKey("Retry-After"));
        Assert.NotEmpty(put.Detail);
        if (status == KeyValueStatus.Unknown)
        {
            Assert.StartsWith(
                "whether it was done is not known: it was done once, ",
                put.Detail,
                StringComparison.Ordinal
            );
        }
    }

    [Fact]
    public async Task A_server_that_keeps_no_part_of_the_store_says_why()
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        await cube.AskAsync(s => (s.Next, s.Failure) = (KeyValueStatus.Unavailable, "it has no disk."));
        const string Words =
            "too few of the servers that have this key answer; nothing was done, and nothing will be. "
            + "This server keeps no part of the store: it has no disk.";
        Assert.Equal(Words, (await cube.PutAsync("/kv/a", "1")).Detail);
        Assert.Equal(Words, (await cube.GetAsync("/kv/a")).Detail);
    }

    [Fact]
    public async Task A_change_whose_store_stops_in_the_middle_is_unknown_and_one_before_it_runs_was_not_made()
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        await cube.AskAsync(s => s.Hangs = true);
        Task<StoreReply> put = cube.PutAsync("/kv/a", "1"),
            delete = cube.SendAsync("DELETE", "/kv/a", null);
        while (await cube.AskAsync(s => s.Puts) == 0)
        {
            await Task.Delay(5, TestContext.Current.CancellationToken);
        }

        await cube.Cube.StopServerAsync(0);
        Assert.Equal((504, 504), ((await put).Status, (await delete).Status));
        Assert.Equal(503, (await cube.PutAsync("/kv/a", "1")).Status);
        await cube.Cube.StartServerAsync(0);
        Assert.Equal(204, (await cube.PutAsync("/kv/a", "2")).Status);
    }

    [Fact]
    public async Task A_change_that_breaks_the_store_is_unknown()
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        await cube.AskAsync(s => s.Breaks = true);
        Assert.Equal(504, (await cube.PutAsync("/kv/a", "1")).Status);
        cube.Faults = 1;
    }

    [Fact]
    public async Task Other_methods_and_parameters_are_refused_in_words()
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        StoreReply patch = await cube.SendAsync("PATCH", "/kv/a", []);
        Assert.Equal((405, "GET, HEAD, PUT, DELETE, POST"), (patch.Status, patch.Headers["Allow"]));
        StoreReply post = await cube.SendAsync("POST", "/kv/a", []);
        Assert.Equal((400, "op=add and op=append go with POST, and it with one of them."), (post.Status, post.Detail));
        (string Target, string Detail)[] wrong =
        [
            ("/kv/a?table=16", "table=16: a table is 0 to 15."),
            ("/kv/a?table=-1", "table=-1: a table is 0 to 15."),
            ("/kv/a?table=1&table=1", "table is given twice."),
            (
                "/kv/a?ops=append",
                "'ops' is no parameter; there are key, table, reads, wait, timeout, prefix, cursor, limit, op."
            ),
            ("/kv/a?op=append", "op=add and op=append go with POST, and it with one of them."),
            ("/kv/a?op=take", "op=take: there are add and append."),
            ("/kv/a?wait=abc", "wait=abc: the ETag that is known is wanted; 0: there is no value."),
            ("/kv/a?wait=1&timeout=5", "timeout=5: a duration as in 200ms, 1.5s, 2min, 1h or 00:00:00.2."),
            ("/kv/a?wait=1&timeout=2h", "timeout is 5 min at most (setting LongestWait)."),
            ("/kv/a?timeout=5s", "timeout goes with wait."),
            ("/kv/a?reads=old", "reads=old: there are latest and any."),
            ("/kv/a?key=b", "the key is in the path and in the query; one of them is enough."),
        ];
        foreach ((string target, string detail) in wrong)
        {
            StoreReply reply = await cube.GetAsync(target);
            Assert.Equal((400, detail), (reply.Status, reply.Detail));
        }

        Assert.Equal("wait and reads go with GET and HEAD.", (await cube.PutAsync("/kv/a?reads=any", "1")).Detail);
        await cube.GetAsync("/kv/a?reads=any");
        Assert.Equal(KeyValueReads.Any, await cube.AskAsync(s => s.LastReads));
    }

    [Fact]
    public async Task A_wait_ends_with_another_version_or_with_304()
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        StoreReply none = await cube.GetAsync("/kv/a?wait=0&timeout=20ms");
        Assert.Equal((404, "there is still no such key."), (none.Status, none.Detail));
        Task<StoreReply> born = cube.GetAsync("/kv/a?wait=0&timeout=1min");
        await WaitingAsync(cube, 1);
        string tag = (await cube.PutAsync("/kv/a", "1")).Tag;
        Assert.Equal((200, "1"), ((await born).Status, (await born).Text));
        StoreReply same = await cube.GetAsync($"/kv/a?wait={Uri.EscapeDataString(tag)}&timeout=30ms");
        Assert.Equal((304, tag, 0), (same.Status, same.Tag, same.Body.Length));
        Task<StoreReply> other = cube.GetAsync($"/kv/a?wait={tag.Trim('"')}"),
            gone = cube.GetAsync($"/kv/a?wait={tag.Trim('"')}");
        await WaitingAsync(cube, 2);
        await cube.PutAsync("/kv/a", "2");
        Assert.Equal("2", (await other).Text);
        Assert.Equal(200, (await gone).Status);
        Task<StoreReply> deleted = cube.GetAsync($"/kv/a?wait={(await other).Tag.Trim('"')}");
        await WaitingAsync(cube, 1);
        await cube.SendAsync("DELETE", "/kv/a", null);
        Assert.Equal(404, (await deleted).Status);
        Assert.Equal(
            (200, ""),
            (await cube.PutAsync("/kv/a", "3")).Status == 204
            && await cube.SendAsync("HEAD", "/kv/a?wait=1", null) is var head
                ? (head.Status, head.Text)
                : default
        );
        await cube.GivenBackAsync();
    }

    [Fact]
    public async Task Waits_are_bounded_and_end_when_the_port_closes()
    {
        await using StoreCube cube = await StoreCube.StartAsync(new() { WaitsAtOnce = 3 });
        Task<StoreReply>[] waits =
        [
            .. Enumerable.Range(0, 3).Select(i => cube.GetAsync($"/kv/{i}?wait=0&timeout=1min")),
        ];
        await WaitingAsync(cube, 3);
        StoreReply refused = await cube.GetAsync("/kv/4?wait=0&timeout=1min");
        Assert.Equal((503, "3 requests wait here already (setting WaitsAtOnce)."), (refused.Status, refused.Detail));
        await cube.FrontEnd.DrainAsync(TestContext.Current.CancellationToken);
        Assert.All(await Task.WhenAll(waits), wait => Assert.Equal(404, wait.Status));
    }

    private static async Task WaitingAsync(StoreCube cube, int count)
    {
        while (await cube.AskAsync(s => s.Waits) != count)
        {
            await Task.Delay(5, TestContext.Current.CancellationToken);
        }
    }
}
