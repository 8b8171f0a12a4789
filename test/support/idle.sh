#!/bin/sh
exec sleep 2147483647
